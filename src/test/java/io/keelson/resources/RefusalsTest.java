package io.keelson.resources;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What services, jobs, claims and limits are refused for, in Kubernetes' words. */
class RefusalsTest {
    private static final String JOB =
            "'template':{'spec':{'restartPolicy':'Never','containers':[{'name':'c'," + "'image':'i'}]}}";
    private static final String INDEXED = "'completionMode':'Indexed','completions':3,";

    private static void expect(String kind, String spec, String fault) {
        assertThat(TestingKind.of(kind).faults("{'spec':{" + spec + "}}"))
                .anySatisfy(one -> assertThat(one).contains(fault));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            'externalTrafficPolicy':'Local' | spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally
            'loadBalancerClass':'a/b' | spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'
            'allocateLoadBalancerNodePorts':false | spec.allocateLoadBalancerNodePorts: Forbidden: may only be used
            'loadBalancerSourceRanges':['10.0.0.0/8'] | spec.loadBalancerSourceRanges: Forbidden: may only be used
            'type':'LoadBalancer','loadBalancerSourceRanges':['x'] | spec.loadBalancerSourceRanges[0]: Invalid value: "x"
            'healthCheckNodePort':30001 | spec.healthCheckNodePort: Invalid value: 30001: may only be set when `type` is
            'ipFamilyPolicy':'RequireDualStack' | this cluster is not configured for dual-stack services
            'ipFamilies':['IPv6'] | spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster
            'trafficDistribution':'Bad' | spec.trafficDistribution: Unsupported value: "Bad"
            'externalIPs':['127.0.0.1'] | spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range
            """)
    void services(String spec, String fault) {
        expect("Service", "'ports':[{'port':80}]," + spec, fault);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            'backoffLimitPerIndex':1 | spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode
            'maxFailedIndexes':1 | spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified
            'managedBy':'a' | spec.managedBy: Invalid value: "a": must be a domain-prefixed path
            'successPolicy':{'rules':[{'succeededCount':1}]} | spec.successPolicy: Invalid value: {"rules"
            'podFailurePolicy':{'rules':[{'action':'Ignore'}]} | specifying one of OnExitCodes and OnPodConditions is required
            'podFailurePolicy':{'rules':[{'action':'Count','onExitCodes':{'operator':'In','values':[0]}}]} | must not be 0
            'podFailurePolicy':{'rules':[{'action':'Count','onExitCodes':{'operator':'In','values':[]}}]} | at least one value
            'podFailurePolicy':{'rules':[{'action':'Count','onExitCodes':{'operator':'In','values':[2,1]}}]} | must be ordered
            'podFailurePolicy':{'rules':[{'action':'FailIndex'}]} | "FailIndex": requires the backoffLimitPerIndex to be set
            """)
    void jobs(String spec, String fault) {
        expect("Job", JOB + "," + spec, fault);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {} | spec.successPolicy.rules[0]: Required value: at least one of succeededCount or succeededIndexes
            {'succeededCount':4} | must be less than or equal to 3 (the number of specified completions)
            {'succeededIndexes':'0-1','succeededCount':3} | must be less than or equal to 2 (the number of indexes
            {'succeededIndexes':'x'} | error parsing succeededIndexes: cannot convert string to integer for index: "x"
            {'succeededIndexes':'1,0'} | error parsing succeededIndexes: non-increasing order
            {'succeededIndexes':'3'} | error parsing succeededIndexes: too large index: "3"
            """)
    void successOfJobs(String rule, String fault) {
        expect("Job", JOB + "," + INDEXED + "'successPolicy':{'rules':[" + rule + "]}", fault);
        assertThat(TestingKind.of("Job")
                        .faults("{'spec':{" + JOB + "," + INDEXED
                                + "'successPolicy':{'rules':[{'succeededIndexes':'0,2','succeededCount':2}]}}}"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            PersistentVolumeClaim | 'storageClassName':'Bad_' | spec.storageClassName: Invalid value: "Bad_"
            PersistentVolumeClaim | 'dataSource':{'kind':'K','name':'n'} | must be 'PersistentVolumeClaim' when referencing
            PersistentVolume | 'capacity':{'storage':'1','x':'1'} | spec.capacity: Unsupported value
            PersistentVolume | 'nodeAffinity':{'required':{}} | nodeSelectorTerms: Required value: must have at least one
            ResourceQuota | 'hard':{'pods':'1.5'} | spec.hard[pods]: Invalid value: "1500m": must be an integer
            ResourceQuota | 'scopes':['Terminating','NotTerminating'] | conflicting scopes
            LimitRange | 'limits':[{'type':'Pod','default':{'cpu':'1'}}] | default: Forbidden: may not be specified when
            LimitRange | 'limits':[{'type':'PersistentVolumeClaim'}] | either minimum or maximum storage value is required
            LimitRange | 'limits':[{'type':'Container','min':{'cpu':'2'},'max':{'cpu':'1'}}] | min value 2 is greater than max
            """)
    void limits(String kind, String spec, String fault) {
        expect(kind, spec, fault);
    }

    @Test
    void a_service_drops_what_belonged_to_its_old_type() {
        TestingKind services = TestingKind.of("Service");
        ObjectNode balanced = services.created(
                "{'spec':{'type':'LoadBalancer','externalTrafficPolicy':'Local','ports':[{'port':80}]}}");
        assertThat(balanced.at("/spec/healthCheckNodePort").asInt()).isPositive();
        ObjectNode plain = services.updated(balanced, one -> ((ObjectNode) one.get("spec")).put("type", "ClusterIP"));
        assertThat(plain.path("spec").has("externalTrafficPolicy")).isFalse();
        assertThat(plain.path("spec").has("allocateLoadBalancerNodePorts")).isFalse();
        assertThat(plain.path("spec").has("healthCheckNodePort")).isFalse();
        assertThat(plain.at("/spec/ports/0").has("nodePort")).isFalse();
        assertThat(plain.at("/spec/clusterIP")).isEqualTo(balanced.at("/spec/clusterIP"));
        assertThat(services.updateFaults(balanced, one -> ((ObjectNode) one.get("spec")).put("type", "NodePort")))
                .isEmpty();
    }

    @Test
    void the_source_of_a_claim_has_two_names() {
        ObjectNode claim = TestingKind.of("PersistentVolumeClaim")
                .created("{'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}},"
                        + "'dataSource':{'kind':'PersistentVolumeClaim','name':'y'}}}");
        assertThat(claim.at("/spec/dataSourceRef")).isEqualTo(claim.at("/spec/dataSource"));
    }
}
