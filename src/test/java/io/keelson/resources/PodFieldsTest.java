package io.keelson.resources;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The less common fields of pods, and the sources of volumes. */
class PodFieldsTest {
    private final TestingKind pods = TestingKind.of("Pod");
    private final TestingKind volumes = TestingKind.of("PersistentVolume");

    private static String pod(String spec, String container) {
        return "{'spec':{'containers':[{'name':'c','image':'i'" + container + "}]" + spec + "}}";
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ,'schedulingGates':[{'name':'a'},{'name':'a'}] | spec.schedulingGates[1]: Duplicate value: "a"
            ,'schedulingGates':[{'name':'a'}],'nodeName':'n' | spec.nodeName: Forbidden: cannot be set until all
            ,'readinessGates':[{'conditionType':'a b'}] | spec.readinessGates[0].conditionType: Invalid value: "a b"
            ,'os':{'name':'plan9'} | spec.os.name: Unsupported value: "plan9": supported values: "linux", "windows"
            ,'os':{'name':'windows'},'hostPID':true | spec.hostPID: Forbidden: cannot be set for a windows pod
            ,'os':{'name':'linux'},'securityContext':{'windowsOptions':{}} | spec.securityContext.windowsOptions: Forbidden
            ,'shareProcessNamespace':true,'hostPID':true | ShareProcessNamespace and HostPID cannot both be enabled
            ,'hostUsers':false,'hostNetwork':true | spec.hostNetwork: Forbidden: when `hostUsers` is false
            ,'resourceClaims':[{'name':'a'}] | must specify one of: `resourceClaimName`, `resourceClaimTemplateName`
            ,'resources':{'requests':{'cpu':'2'},'limits':{'cpu':'1'}} | spec.resources.requests: Invalid value: "2"
            """)
    void refuses_pods(String spec, String fault) {
        assertThat(pods.faults(pod(spec, ""))).anySatisfy(one -> assertThat(one).contains(fault));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            'resources':{'limits':{'a.b/c':'1500m'}} | resources.limits[a.b/c]: Invalid value: "1500m": must be an integer
            'resources':{'requests':{'a.b/c':'1'}} | resources.limits: Required value: Limit must be set for non
            'resources':{'limits':{'hugepages-2Mi':'2Mi'}} | resources: Forbidden: HugePages require cpu or memory
            'resources':{'claims':[{'name':'x'}]} | resources.claims[0].name: Not found: "x"
            'resizePolicy':[{'resourceName':'x','restartPolicy':'NotRequired'}] | resizePolicy[0].resourceName: Unsupported
            'volumeDevices':[{'name':'x','devicePath':'/d'}] | volumeDevices[0].name: Not found: "x"
            'volumeDevices':[{'name':'v','devicePath':'/d'}] | can only use volume source type of PersistentVolumeClaim
            'volumeDevices':[{'name':'v','devicePath':'/../d'}] | can not contain backsteps ('..')
            'lifecycle':{'preStop':{'sleep':{'seconds':31}}} | lifecycle.preStop.sleep: Invalid value: 31: must be non-negative
            'env':[{'name':'E','valueFrom':{'fieldRef':{'fieldPath':'a.b'}}}] | error converting fieldPath: field label not
            'env':[{'name':'E','valueFrom':{'fieldRef':{'fieldPath':'status.phase'}}}] | Unsupported value: "status.phase"
            """)
    void refuses_containers(String container, String fault) {
        assertThat(pods.faults(pod(",'volumes':[{'name':'v','emptyDir':{}}]", "," + container)))
                .anySatisfy(one -> assertThat(one).contains(fault));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            'iscsi':{'iqn':'bad','lun':256} | iscsi.targetPortal: Required value;iscsi.iqn: Invalid value: "bad";lun: Invalid
            'nfs':{'server':'s','path':'p'} | nfs.path: Invalid value: "p": must be an absolute path
            'rbd':{'monitors':[]} | rbd.monitors: Required value;rbd.image: Required value
            'downwardAPI':{'items':[{'path':'p'}]} | items[0]: Required value: one of fieldRef and resourceFieldRef
            'downwardAPI':{'items':[{'path':'p','resourceFieldRef':{'resource':'limits.cpu'}}]} | containerName: Required
            'ephemeral':{} | ephemeral.volumeClaimTemplate: Required value
            """)
    void refuses_volumes(String source, String faults) {
        String found = String.join("\n", pods.faults(pod(",'volumes':[{'name':'v'," + source + "}]", "")));
        assertThat(found).contains(faults.split(";"));
    }

    @Test
    void sources_have_their_defaults_in_pods_and_in_volumes() {
        ObjectNode pod = pods.created(pod(
                ",'volumes':[{'name':'v','rbd':{'monitors':['m'],'image':'i'}},{'name':'w','image':{'reference':'r:1'}}]",
                ""));
        assertThat(pod.at("/spec/volumes/0/rbd"))
                .isEqualTo(TestingKind.json("{'monitors':['m'],'image':'i','pool':'rbd','user':'admin',"
                        + "'keyring':'/etc/ceph/keyring'}"));
        assertThat(pod.at("/spec/volumes/1/image/pullPolicy").asText()).isEqualTo("IfNotPresent");
        ObjectNode volume = volumes.created("{'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],"
                + "'azureDisk':{'diskName':'d','diskURI':'u'}}}");
        assertThat(volume.at("/spec/azureDisk"))
                .isEqualTo(TestingKind.json("{'diskName':'d','diskURI':'u','cachingMode':'ReadWrite','fsType':'ext4',"
                        + "'kind':'Shared','readOnly':false}"));
        assertThat(volumes.faults("{'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],'local':{}}}"))
                .contains("spec.local.path: Required value")
                .contains("spec.nodeAffinity: Required value: Local volume requires node affinity");
    }
}
