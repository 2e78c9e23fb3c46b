package io.keelson.endpoints.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import io.keelson.api.BadJsonException;
import io.keelson.api.Json;
import io.keelson.endpoints.TestResources;
import io.kubernetes.client.proto.IntStr.IntOrString;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Meta.DeleteOptions;
import io.kubernetes.client.proto.Meta.ObjectMeta;
import io.kubernetes.client.proto.Resource.Quantity;
import io.kubernetes.client.proto.Runtime.RawExtension;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Apiextensions.CustomResourceDefinition;
import io.kubernetes.client.proto.V1Apiextensions.CustomResourceDefinitionSpec;
import io.kubernetes.client.proto.V1Apiextensions.CustomResourceDefinitionVersion;
import io.kubernetes.client.proto.V1Apiextensions.CustomResourceValidation;
import io.kubernetes.client.proto.V1Apiextensions.JSON;
import io.kubernetes.client.proto.V1Apiextensions.JSONSchemaProps;
import io.kubernetes.client.proto.V1Apiextensions.JSONSchemaPropsOrArray;
import io.kubernetes.client.proto.V1Apiextensions.JSONSchemaPropsOrBool;
import io.kubernetes.client.proto.V1Apps.ControllerRevision;
import io.kubernetes.client.proto.V1Authorization.ExtraValue;
import io.kubernetes.client.proto.V1Authorization.SubjectAccessReview;
import io.kubernetes.client.proto.V1Authorization.SubjectAccessReviewSpec;
import io.kubernetes.client.proto.V1Coordination.Lease;
import io.kubernetes.client.proto.V1Coordination.LeaseSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProtobufTest {
    static List<Bodies.Recorded> recorded() {
        return Bodies.recorded();
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void readsWhatKubectlSends(Bodies.Recorded recorded) {
        assertThat((JsonNode) Protobuf.parse(recorded.body())).isEqualTo(withoutNulls(recorded.json()));
    }

    /** Go writes null for a time that is not set, and for a list of nothing. */
    private static JsonNode withoutNulls(JsonNode tree) {
        if (tree instanceof ObjectNode object) {
            object.properties().removeIf(field -> field.getValue() instanceof NullNode);
        }
        tree.forEach(ProtobufTest::withoutNulls);
        return tree;
    }

    @Test
    void readsAPodWithMessagesThatAreInlined() {
        var probe = V1.Probe.newBuilder()
                .setHandler(V1.ProbeHandler.newBuilder()
                        .setHttpGet(V1.HTTPGetAction.newBuilder()
                                .setPath("/ready")
                                .setPort(IntOrString.newBuilder().setType(1).setStrVal("http"))))
                .setInitialDelaySeconds(0)
                .setPeriodSeconds(5);
        var secret = V1.EnvVarSource.newBuilder()
                .setSecretKeyRef(V1.SecretKeySelector.newBuilder()
                        .setLocalObjectReference(
                                V1.LocalObjectReference.newBuilder().setName("s"))
                        .setKey("k")
                        .setOptional(false));
        var container = V1.Container.newBuilder()
                .setName("c")
                .setImage("")
                .setStdin(false)
                .setReadinessProbe(probe)
                .addEnv(V1.EnvVar.newBuilder().setName("E").setValue("").setValueFrom(secret))
                .setResources(V1.ResourceRequirements.newBuilder()
                        .putLimits(
                                "cpu", Quantity.newBuilder().setString("500m").build())
                        .putRequests("memory", Quantity.getDefaultInstance()))
                .setSecurityContext(
                        V1.SecurityContext.newBuilder().setRunAsUser(0).setPrivileged(false));
        var spec = V1.PodSpec.newBuilder()
                .addVolumes(V1.Volume.newBuilder()
                        .setName("tmp")
                        .setVolumeSource(V1.VolumeSource.newBuilder()
                                .setEmptyDir(
                                        V1.EmptyDirVolumeSource.newBuilder().setMedium(""))))
                .addContainers(container)
                .setTerminationGracePeriodSeconds(0)
                .setHostNetwork(false)
                .setAutomountServiceAccountToken(false)
                .setSecurityContext(V1.PodSecurityContext.newBuilder()
                        .addSupplementalGroups(0)
                        .addSupplementalGroups(7));
        var meta = ObjectMeta.newBuilder()
                .setName("p")
                .setCreationTimestamp(Meta.Time.getDefaultInstance())
                .setDeletionTimestamp(Meta.Time.newBuilder().setSeconds(1_700_000_000L))
                .putLabels("a", "")
                .addManagedFields(Meta.ManagedFieldsEntry.newBuilder()
                        .setFieldsV1(Meta.FieldsV1.newBuilder().setRaw(ByteString.copyFromUtf8("{\"f:a\":{}}"))));

        assertParsed(
                "v1",
                "Pod",
                V1.Pod.newBuilder().setMetadata(meta).setSpec(spec).build(),
                "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p','deletionTimestamp':'2023-11-14T22:13:20Z',"
                        + "'labels':{'a':''},'managedFields':[{'fieldsV1':{'f:a':{}}}]},'spec':{"
                        + "'volumes':[{'name':'tmp','emptyDir':{}}],'containers':[{'name':'c',"
                        + "'env':[{'name':'E','valueFrom':{'secretKeyRef':{'name':'s','key':'k','optional':false}}}],"
                        + "'resources':{'limits':{'cpu':'500m'},'requests':{'memory':'0'}},"
                        + "'readinessProbe':{'httpGet':{'path':'/ready','port':'http'},'periodSeconds':5},"
                        + "'securityContext':{'privileged':false,'runAsUser':0}}],"
                        + "'terminationGracePeriodSeconds':0,'securityContext':{'supplementalGroups':[0,7]},"
                        + "'automountServiceAccountToken':false}}");
    }

    @Test
    void readsTimesAndDocuments() {
        assertParsed(
                "coordination.k8s.io/v1",
                "Lease",
                Lease.newBuilder()
                        .setSpec(LeaseSpec.newBuilder()
                                .setRenewTime(Meta.MicroTime.newBuilder()
                                        .setSeconds(1)
                                        .setNanos(2_000_000))
                                .setLeaseTransitions(0))
                        .build(),
                "{'apiVersion':'coordination.k8s.io/v1','kind':'Lease',"
                        + "'spec':{'renewTime':'1970-01-01T00:00:01.002000Z','leaseTransitions':0}}");
        assertParsed(
                "apps/v1",
                "ControllerRevision",
                ControllerRevision.newBuilder()
                        .setData(RawExtension.newBuilder().setRaw(ByteString.copyFromUtf8("{\"a\":[1,null]}")))
                        .setRevision(-5_000_000_000L)
                        .build(),
                "{'apiVersion':'apps/v1','kind':'ControllerRevision','data':{'a':[1,null]},'revision':-5000000000}");
    }

    @Test
    void readsTheSchemasOfCustomResources() {
        var leaf = JSONSchemaProps.newBuilder().setType("integer").setMinimum(0).setMaximum(1.5);
        var schema = JSONSchemaProps.newBuilder()
                .setRef("r")
                .setXKubernetesPreserveUnknownFields(true)
                .setDefault(JSON.newBuilder().setRaw(ByteString.copyFromUtf8("false")))
                .setItems(JSONSchemaPropsOrArray.newBuilder().setSchema(leaf))
                .setAdditionalProperties(JSONSchemaPropsOrBool.newBuilder().setAllows(false))
                .putProperties("p", leaf.build());
        var version = CustomResourceDefinitionVersion.newBuilder()
                .setName("v1")
                .setStorage(true)
                .setSchema(CustomResourceValidation.newBuilder().setOpenAPIV3Schema(schema));
        assertParsed(
                "apiextensions.k8s.io/v1",
                "CustomResourceDefinition",
                CustomResourceDefinition.newBuilder()
                        .setSpec(CustomResourceDefinitionSpec.newBuilder().addVersions(version))
                        .build(),
                "{'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition','spec':{'versions':[{"
                        + "'name':'v1','storage':true,'schema':{'openAPIV3Schema':{'$ref':'r','default':false,"
                        + "'items':{'type':'integer','maximum':1.5,'minimum':0},"
                        + "'properties':{'p':{'type':'integer','maximum':1.5,'minimum':0}},"
                        + "'additionalProperties':false,'x-kubernetes-preserve-unknown-fields':true}}}]}}");
    }

    @Test
    void readsListsThatAreMessages() {
        assertParsed(
                "authorization.k8s.io/v1",
                "SubjectAccessReview",
                SubjectAccessReview.newBuilder()
                        .setSpec(SubjectAccessReviewSpec.newBuilder()
                                .putExtra(
                                        "e",
                                        ExtraValue.newBuilder()
                                                .addItems("a")
                                                .addItems("")
                                                .build()))
                        .build(),
                "{'apiVersion':'authorization.k8s.io/v1','kind':'SubjectAccessReview','spec':{'extra':{'e':['a','']}}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1", "apps/v1", "other.example/v2"})
    void readsOptionsOfADeletionOfEveryGroup(String apiVersion) {
        assertParsed(
                apiVersion,
                "DeleteOptions",
                DeleteOptions.newBuilder()
                        .setGracePeriodSeconds(0)
                        .setPropagationPolicy("Foreground")
                        .setPreconditions(Meta.Preconditions.newBuilder().setUid("u"))
                        .addDryRun("All")
                        .build(),
                "{'apiVersion':'" + apiVersion + "','kind':'DeleteOptions','gracePeriodSeconds':0,"
                        + "'preconditions':{'uid':'u'},'propagationPolicy':'Foreground','dryRun':['All']}");
    }

    @Test
    void passesOverFieldsThatItDoesNotKnow() {
        var unknown = UnknownFieldSet.newBuilder()
                .addField(
                        9999,
                        UnknownFieldSet.Field.newBuilder()
                                .addVarint(1)
                                .addFixed32(2)
                                .addFixed64(3)
                                .addLengthDelimited(ByteString.copyFromUtf8("x"))
                                .addGroup(UnknownFieldSet.getDefaultInstance())
                                .build())
                .build();
        assertParsed(
                "v1",
                "ConfigMap",
                V1.ConfigMap.newBuilder()
                        .putData("a", "b")
                        .setUnknownFields(unknown)
                        .build(),
                "{'apiVersion':'v1','kind':'ConfigMap','data':{'a':'b'}}");
    }

    private static void assertParsed(String apiVersion, String kind, Message message, String json) {
        assertThat((JsonNode) Protobuf.parse(Bodies.body(apiVersion, kind, message)))
                .isEqualTo(TestResources.tree(json));
    }

    @Test
    void saysWhatIsWrong() {
        assertRefused(Json.write(Json.object()), "does not begin with");
        assertRefused(new byte[0], "does not begin with");
        assertRefused(
                Bodies.body("example/v1", "Thing", ByteString.EMPTY), "no kind \"Thing\" of version \"example/v1\"");
        assertRefused(Bodies.body("v1", "Pod", ByteString.copyFrom(new byte[] {10, 100})), "cut off or damaged");
        assertRefused(Bodies.body("v1", "Pod", ByteString.copyFrom(new byte[] {8, 1})), "metadata is of another type");
        assertRefused(Bodies.body("v1", "Pod", ByteString.copyFrom(new byte[] {124})), "damaged");
        assertRefused(
                Bodies.body(
                        Bodies.envelope("v1", "Pod").setContentEncoding("gzip").build()),
                "compressed");
        assertRefused(
                Bodies.body(Bodies.envelope("v1", "Pod")
                        .setContentType("application/json")
                        .build()),
                "media type");
        assertRefused(
                Bodies.body(
                        "v1",
                        "Pod",
                        V1.Pod.newBuilder()
                                .setMetadata(ObjectMeta.newBuilder()
                                        .setCreationTimestamp(
                                                Meta.Time.newBuilder().setSeconds(Long.MAX_VALUE)))
                                .build()),
                "a time is outside");
    }

    static void assertRefused(byte[] body, String words) {
        assertThatThrownBy(() -> Protobuf.parse(body))
                .isInstanceOf(BadJsonException.class)
                .hasMessageStartingWith("the body is not valid protobuf of Kubernetes: ")
                .hasMessageContaining(words);
    }
}
