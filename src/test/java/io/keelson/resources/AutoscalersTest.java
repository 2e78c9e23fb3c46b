package io.keelson.resources;

import static io.keelson.resources.TestingKind.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

class AutoscalersTest {
    private static final String TARGET = "'scaleTargetRef':{'apiVersion':'apps/v1','kind':'Deployment','name':'d'}";

    private final TestingKind autoscalers = TestingKind.of("HorizontalPodAutoscaler");

    @Test
    void smallest_autoscaler_goes_by_the_cpu() {
        ObjectNode one = autoscalers.created("{'spec':{" + TARGET + ",'maxReplicas':3}}");
        assertThat(TestingKind.specWithout(one, "scaleTargetRef")).isEqualTo(json("""
                {'maxReplicas':3,'metrics':[{'resource':{'name':'cpu','target':{'averageUtilization':80,'type':
                'Utilization'}},'type':'Resource'}],'minReplicas':1}"""));
        assertThat(one.path("status")).isEqualTo(json("{'currentMetrics':null,'desiredReplicas':0}"));
        assertThat(autoscalers.cells(one))
                .containsExactly("x", "Deployment/d", "cpu: <unknown>/80%", "1", 3L, 0L, "60s");
    }

    @Test
    void one_direction_given_fills_in_both() {
        ObjectNode one = autoscalers.created(
                "{'spec':{" + TARGET + ",'maxReplicas':3,'behavior':{'scaleUp':{'selectPolicy':'Min'}}}}");
        assertThat(one.at("/spec/behavior")).isEqualTo(json("""
                {'scaleUp':{'selectPolicy':'Min','stabilizationWindowSeconds':0,'policies':[{'type':'Pods','value':4,
                'periodSeconds':15},{'type':'Percent','value':100,'periodSeconds':15}]},'scaleDown':{'selectPolicy':'Max',
                'policies':[{'type':'Percent','value':100,'periodSeconds':15}]}}"""));
    }

    @Test
    void shows_present_and_wanted_values() {
        ObjectNode one = autoscalers.created("{'spec':{" + TARGET + """
                ,'maxReplicas':3,'metrics':[{'type':'External','external':{'metric':{'name':'q'},'target':{'type':'AverageValue',
                'averageValue':'30'}}},{'type':'Object','object':{'metric':{'name':'r'},'describedObject':{'kind':'K','name':'n'},
                'target':{'type':'Value','value':'2k'}}},{'type':'Pods','pods':{'metric':{'name':'s'},'target':{'type':
                'AverageValue','averageValue':'1000m'}}}]}}""");
        one.set("status", json("""
                {'currentReplicas':2,'currentMetrics':[{'type':'External','external':{'current':{'averageValue':'20'}}}]}"""));
        assertThat(autoscalers.cells(one))
                .containsExactly("x", "Deployment/d", "20/30 (avg), <unknown>/2k + 1 more...", "1", 3L, 2L, "60s");
        assertThat(one.at("/spec/metrics/2/pods/target/averageValue").asText()).isEqualTo("1");
    }

    @Test
    void bounds_target_and_metrics_make_sense() {
        assertThat(autoscalers.faults("{'spec':{'scaleTargetRef':{'kind':'Deployment','name':'d'}}}"))
                .containsExactly(
                        "spec.maxReplicas: Required value: must be set and greater than 0",
                        "spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`",
                        "spec.scaleTargetRef.apiVersion: Invalid value: \"\": apiVersion must specify API group");
        assertThat(autoscalers.faults(
                        "{'spec':{" + TARGET + ",'maxReplicas':1,'metrics':[{'type':'Pods'},{'type':'Some'},{},"
                                + "{'type':'Resource','resource':{'target':{'type':'Utilization'}}}]}}"))
                .hasSize(5);
        assertThat(
                        autoscalers.faults(
                                "{'spec':{" + TARGET
                                        + ",'maxReplicas':1,'behavior':{'scaleDown':{'selectPolicy':'Some',"
                                        + "'stabilizationWindowSeconds':3601,'policies':[{'type':'Pods','value':0,'periodSeconds':1801}]}}}}"))
                .hasSize(4);
    }
}
