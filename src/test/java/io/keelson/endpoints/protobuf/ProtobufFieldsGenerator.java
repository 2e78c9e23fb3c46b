package io.keelson.endpoints.protobuf;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.keelson.api.Json;
import io.kubernetes.client.proto.IntStr;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Resource;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Admissionregistration;
import io.kubernetes.client.proto.V1Apiextensions;
import io.kubernetes.client.proto.V1Apps;
import io.kubernetes.client.proto.V1Authentication;
import io.kubernetes.client.proto.V1Authorization;
import io.kubernetes.client.proto.V1Autoscaling;
import io.kubernetes.client.proto.V1Batch;
import io.kubernetes.client.proto.V1Certificates;
import io.kubernetes.client.proto.V1Coordination;
import io.kubernetes.client.proto.V1Discovery;
import io.kubernetes.client.proto.V1Events;
import io.kubernetes.client.proto.V1Flowcontrol;
import io.kubernetes.client.proto.V1Networking;
import io.kubernetes.client.proto.V1Node;
import io.kubernetes.client.proto.V1Policy;
import io.kubernetes.client.proto.V1Rbac;
import io.kubernetes.client.proto.V1Resource;
import io.kubernetes.client.proto.V1Scheduling;
import io.kubernetes.client.proto.V1Storage;
import io.kubernetes.client.proto.V2Autoscaling;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * Makes the resource that {@link MessageTypes} reads: the numbers from the descriptors of the official Java client, the
 * names in JSON and the kinds from the OpenAPI schemas, and {@link OptionalFields}. A new version of the client or of the
 * schemas is taken up by running {@link #main}.
 */
final class ProtobufFieldsGenerator {
    static final Path RESOURCE = Path.of("src/main/resources/io/keelson/endpoints/protobuf/messages.txt");

    private static final String SCHEMAS = "/io/keelson/schema/schemas.gz";

    /** Messages whose bytes are a document. */
    private static final Set<String> RAW =
            Set.of("runtime.RawExtension", "meta.v1.FieldsV1", "apiextensions.v1.JSON", "runtime.Unknown");

    private final Map<String, Descriptor> messages = new HashMap<>();
    private final Map<String, JsonNode> schemas = new HashMap<>();
    private final TreeMap<String, String> lines = new TreeMap<>();

    public static void main(String[] arguments) throws IOException {
        Files.createDirectories(RESOURCE.getParent());
        Files.writeString(RESOURCE, new ProtobufFieldsGenerator().generate());
    }

    String generate() throws IOException {
        readSchemas();
        files().flatMap(file -> file.getMessageTypes().stream())
                .forEach(message -> messages.put(shortName(message), message));
        add(messages.get("runtime.Unknown"));
        messages.values().stream().filter(message -> !kinds(message).isEmpty()).forEach(this::add);
        return String.join("", lines.values());
    }

    private static Stream<FileDescriptor> files() {
        return Stream.of(
                IntStr.getDescriptor(),
                Meta.getDescriptor(),
                Resource.getDescriptor(),
                Runtime.getDescriptor(),
                V1.getDescriptor(),
                V1Admissionregistration.getDescriptor(),
                V1Apiextensions.getDescriptor(),
                V1Apps.getDescriptor(),
                V1Authentication.getDescriptor(),
                V1Authorization.getDescriptor(),
                V1Autoscaling.getDescriptor(),
                V1Batch.getDescriptor(),
                V1Certificates.getDescriptor(),
                V1Coordination.getDescriptor(),
                V1Discovery.getDescriptor(),
                V1Events.getDescriptor(),
                V1Flowcontrol.getDescriptor(),
                V1Networking.getDescriptor(),
                V1Node.getDescriptor(),
                V1Policy.getDescriptor(),
                V1Rbac.getDescriptor(),
                V1Resource.getDescriptor(),
                V1Scheduling.getDescriptor(),
                V1Storage.getDescriptor(),
                V2Autoscaling.getDescriptor());
    }

    private void readSchemas() throws IOException {
        try (InputStream in = ProtobufFieldsGenerator.class.getResourceAsStream(SCHEMAS);
                var reader =
                        new BufferedReader(new InputStreamReader(new GZIPInputStream(in), StandardCharsets.UTF_8))) {
            reader.lines().forEach(line -> {
                int tab = line.indexOf('\t');
                schemas.put(
                        line.substring(0, tab),
                        Json.parse(line.substring(tab + 1).getBytes(StandardCharsets.UTF_8)));
            });
        }
    }

    private static String shortName(Descriptor message) {
        return message.getFullName()
                .replaceFirst("^k8s\\.io\\.(api\\.|(apimachinery|apiextensions_apiserver)\\.pkg\\.(apis\\.)?)", "");
    }

    private JsonNode schema(Descriptor message) {
        String name =
                message.getFullName().replaceFirst("^k8s\\.io\\.", "io.k8s.").replace('_', '-');
        return schemas.getOrDefault(name, Json.object());
    }

    private List<String> kinds(Descriptor message) {
        var kinds = new ArrayList<String>();
        for (JsonNode kind : schema(message).path("x-kubernetes-group-version-kind")) {
            String group = kind.path("group").asText();
            String version = kind.path("version").asText();
            kinds.add((group.isEmpty() ? version : group + "/" + version) + "/"
                    + kind.path("kind").asText());
        }
        kinds.remove("v1/WatchEvent");
        return kinds;
    }

    /** Adds a message and all that it refers to. */
    private void add(Descriptor message) {
        String name = shortName(message);
        if (lines.containsKey(name)) {
            return;
        }
        var text = new StringBuilder(name);
        kinds(message).forEach(kind -> text.append(' ').append(kind));
        text.append('\n');
        lines.put(name, "");
        message.getFields().stream()
                .sorted(Comparator.comparingInt(FieldDescriptor::getNumber))
                .forEach(field -> text.append(line(message, field)).append('\n'));
        lines.put(name, text.toString());
    }

    private String line(Descriptor message, FieldDescriptor field) {
        JsonNode properties = schema(message).path("properties");
        String name = jsonName(properties, field.getName());
        String arity = field.isMapField() ? "{}" : field.isRepeated() ? "[]" : "";
        FieldDescriptor value = field.isMapField() ? field.getMessageType().findFieldByName("value") : field;
        boolean inlined =
                value.getType() == FieldDescriptor.Type.MESSAGE && !properties.isEmpty() && !properties.has(name);
        boolean optional = arity.isEmpty()
                && (OptionalFields.contains(shortName(message), name)
                        || isZero(properties.path(name).path("default")));
        String type = type(message, value);
        if (field.isMapField() && Set.of("int", "bool", "double").contains(type)) {
            throw new IllegalStateException("A map of numbers: " + field.getFullName());
        }
        return field.getNumber() + " " + name + " " + arity + (inlined ? "=" : "") + type
                + (optional && zeroIsEmpty(type) ? "?" : "");
    }

    /** The name in JSON: some messages write it in another case, and schemas of custom resources have their own style. */
    private static String jsonName(JsonNode properties, String name) {
        String kebab = name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
        for (var property : properties.properties()) {
            String known = property.getKey();
            boolean same = known.equalsIgnoreCase(name) || known.equals(kebab);
            if (same || (known.equals("$" + name) && !properties.has(name))) {
                return known;
            }
        }
        return name.equals("Raw") ? "raw" : name;
    }

    private String type(Descriptor message, FieldDescriptor value) {
        return switch (value.getType()) {
            case STRING -> "string";
            case INT32, INT64 -> "int";
            case BOOL -> "bool";
            case DOUBLE -> "double";
            case BYTES -> RAW.contains(shortName(message)) ? "raw" : "bytes";
            case MESSAGE -> {
                add(value.getMessageType());
                yield shortName(value.getMessageType());
            }
            default -> throw new IllegalStateException("A type that no kind uses: " + value.getFullName());
        };
    }

    private static boolean zeroIsEmpty(String type) {
        return !type.contains(".") || type.equals(WellKnown.INT_OR_STRING);
    }

    /** A property that has its zero as a default is written in JSON even where nobody set it. */
    private static boolean isZero(JsonNode value) {
        return (value.isTextual() && value.textValue().isEmpty())
                || (value.isBoolean() && !value.booleanValue())
                || (value.isNumber() && value.doubleValue() == 0);
    }
}
