package io.keelson.resources.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What the sources of volumes have by default and cannot do without, alike in pods and in persistent volumes. Stateless. */
public final class VolumeSources {
    /** Texts that fields have where nothing is written, by the source and the field. */
    private static final Map<String, Map<String, String>> TEXTS = Map.of(
            "hostPath", Map.of("type", ""),
            "iscsi", Map.of("iscsiInterface", "default"),
            "rbd", Map.of("pool", "rbd", "user", "admin", "keyring", "/etc/ceph/keyring"),
            "azureDisk", Map.of("cachingMode", "ReadWrite", "fsType", "ext4", "kind", "Shared"),
            "scaleIO", Map.of("storageMode", "ThinProvisioned", "fsType", "xfs"));

    /** Fields that sources cannot do without. */
    private static final Map<String, List<String>> REQUIRED = Map.ofEntries(
            Map.entry("hostPath", List.of("path")),
            Map.entry("nfs", List.of("server", "path")),
            Map.entry("csi", List.of("driver")),
            Map.entry("iscsi", List.of("targetPortal", "iqn")),
            Map.entry("gcePersistentDisk", List.of("pdName")),
            Map.entry("awsElasticBlockStore", List.of("volumeID")),
            Map.entry("gitRepo", List.of("repository")),
            Map.entry("glusterfs", List.of("endpoints", "path")),
            Map.entry("rbd", List.of("monitors", "image")),
            Map.entry("cephfs", List.of("monitors")),
            Map.entry("cinder", List.of("volumeID")),
            Map.entry("azureFile", List.of("secretName", "shareName")),
            Map.entry("azureDisk", List.of("diskName", "diskURI")),
            Map.entry("flexVolume", List.of("driver")),
            Map.entry("vsphereVolume", List.of("volumePath")),
            Map.entry("photonPersistentDisk", List.of("pdID")),
            Map.entry("portworxVolume", List.of("volumeID")),
            Map.entry("quobyte", List.of("registry", "volume")),
            Map.entry("scaleIO", List.of("gateway", "system", "volumeName")),
            Map.entry("local", List.of("path")));

    private static final Pattern IQN =
            Pattern.compile("iqn\\.\\d{4}-\\d{2}\\.([a-z0-9](?:[-a-z0-9]*[a-z0-9])?\\.?)+(:[^,;*&$|\\s]+)?"
                    + "|eui\\.[0-9A-Fa-f]{16}|naa\\.[0-9A-Fa-f]{32}");
    private static final int MAX_LUN = 255;

    private VolumeSources() {}

    /** Fills in the sources below a volume of a pod or the spec of a persistent volume. */
    public static void fill(ObjectNode volume) {
        TEXTS.forEach((type, texts) -> {
            if (volume.path(type) instanceof ObjectNode source) {
                texts.forEach((field, text) -> Trees.fill(source, field, text));
                if (type.equals("azureDisk")) {
                    Trees.fill(source, "readOnly", false);
                }
            }
        });
    }

    /**
     * @param at the path of the source
     * @param type the field that the source is in, such as {@code nfs}
     */
    public static void check(Faults faults, String at, String type, JsonNode source) {
        for (String field : REQUIRED.getOrDefault(type, List.of())) {
            if (source.path(field).isArray()) {
                if (source.path(field).isEmpty()) {
                    faults.required(at + "." + field, "");
                }
            } else {
                faults.present(at + "." + field, source.path(field));
            }
        }
        switch (type) {
            case "hostPath", "local", "glusterfs" -> noBackSteps(faults, at + ".path", Trees.text(source, "path"));
            case "nfs" -> {
                String path = Trees.text(source, "path");
                if (!path.isEmpty() && !path.startsWith("/")) {
                    faults.invalid(at + ".path", path, "must be an absolute path");
                }
            }
            case "iscsi" -> checkIscsi(faults, at, source);
            default -> {}
        }
    }

    private static void checkIscsi(Faults faults, String at, JsonNode source) {
        String iqn = Trees.text(source, "iqn");
        if (!iqn.isEmpty() && !IQN.matcher(iqn).matches()) {
            faults.invalid(at + ".iqn", iqn, "must be valid format");
        }
        long lun = source.path("lun").asLong();
        if (lun < 0 || lun > MAX_LUN) {
            faults.invalid(at + ".lun", source.path("lun"), "must be between 0 and 255, inclusive");
        }
        boolean chap = source.path("chapAuthDiscovery").asBoolean()
                || source.path("chapAuthSession").asBoolean();
        if (chap && !source.has("secretRef")) {
            faults.required(at + ".secretRef", "");
        }
    }

    private static void noBackSteps(Faults faults, String field, String path) {
        if (List.of(path.split("/", -1)).contains("..")) {
            faults.invalid(field, path, "must not contain '..'");
        }
    }
}
