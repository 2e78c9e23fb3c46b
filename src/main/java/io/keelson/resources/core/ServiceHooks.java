package io.keelson.resources.core;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.FieldError;
import io.keelson.api.Json;
import io.keelson.api.StatusReason;
import io.keelson.registry.Hooks;
import io.keelson.registry.RequestContext;
import io.keelson.resources.fields.Trees;
import io.keelson.storage.StorageException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Gives services their addresses and node ports, and takes them back when a write fails or a service goes. */
final class ServiceHooks implements Hooks {
    private final ServiceAllocator allocator;

    ServiceHooks(ServiceAllocator allocator) {
        this.allocator = allocator;
    }

    @Override
    public Finish beginCreate(RequestContext context, ObjectNode service) {
        ServiceSpecs.settleAddresses(Trees.child(service, "spec"));
        return allocate(service, "", Set.of(), context.dryRun());
    }

    @Override
    public Finish beginUpdate(RequestContext context, ObjectNode service, ObjectNode old) {
        String address = Trees.text(old, "spec", "clusterIP");
        Set<Long> ports = nodePorts(old);
        ServiceSpecs.keepAllocated(Trees.child(service, "spec"), old.path("spec"));
        ServiceSpecs.settleAddresses(Trees.child(service, "spec"));
        Finish allocated = allocate(service, address, ports, context.dryRun());
        Set<Long> kept = nodePorts(service);
        boolean addressKept = Trees.text(service, "spec", "clusterIP").equals(address);
        return success -> {
            allocated.finish(success);
            if (success) {
                ports.stream().filter(port -> !kept.contains(port)).forEach(this::giveBackNodePort);
                if (!addressKept) {
                    allocator.giveBackAddress(address, false);
                }
            }
        };
    }

    @Override
    public void afterDelete(ApiObject object) {
        ObjectNode service = Json.parseTrusted(object.json());
        allocator.giveBackAddress(Trees.text(service, "spec", "clusterIP"), false);
        nodePorts(service).forEach(this::giveBackNodePort);
    }

    /** Takes what the service needs beyond what it has, and returns how to settle that. */
    private Finish allocate(ObjectNode service, String ownAddress, Set<Long> ownPorts, boolean dryRun) {
        var undo = new ArrayList<Runnable>();
        try {
            takeAddress(service, ownAddress, undo, dryRun);
            takeNodePorts(service, ownPorts, undo, dryRun);
        } catch (ApiException | StorageException e) {
            undo.forEach(Runnable::run);
            throw e;
        }
        return success -> {
            if (!success) {
                undo.forEach(Runnable::run);
            }
        };
    }

    private void takeAddress(ObjectNode service, String own, List<Runnable> undo, boolean dryRun) {
        ObjectNode spec = Trees.child(service, "spec");
        if (!ServiceSpecs.wantsAddress(spec)) {
            return;
        }
        String asked = Trees.text(spec, "clusterIP");
        if (asked.isEmpty()) {
            String address = allocator
                    .takeAddress(dryRun)
                    .orElseThrow(() -> ApiException.of(
                            StatusReason.INTERNAL_ERROR, "failed to allocate a serviceIP: range is full"));
            undo.add(() -> allocator.giveBackAddress(address, dryRun));
            ServiceSpecs.setAddress(spec, address);
        } else if (!asked.equals(own)) {
            if (!allocator.isAddress(asked)) {
                throw invalid(
                        service,
                        FieldError.invalid(
                                "spec.clusterIPs",
                                spec.path("clusterIPs"),
                                "failed to allocate IP " + asked + ": the provided IP (" + asked
                                        + ") is not in the valid range. The range of valid IPs is "
                                        + ServiceAllocator.RANGE));
            }
            if (!allocator.takeAddress(asked, dryRun)) {
                throw invalid(
                        service,
                        FieldError.invalid(
                                "spec.clusterIPs",
                                spec.path("clusterIPs"),
                                "failed to allocate IP " + asked + ": provided IP is already allocated"));
            }
            undo.add(() -> allocator.giveBackAddress(asked, dryRun));
        }
    }

    private void takeNodePorts(ObjectNode service, Set<Long> own, List<Runnable> undo, boolean dryRun) {
        ObjectNode spec = Trees.child(service, "spec");
        if (ServiceTypes.wantsHealthPort(spec)) {
            takeNodePort(service, spec, "spec.", "healthCheckNodePort", own, undo, dryRun);
        }
        if (!ServiceSpecs.wantsNodePorts(spec)) {
            return;
        }
        int i = 0;
        for (ObjectNode port : Trees.objects(spec.path("ports"))) {
            takeNodePort(service, port, "spec.ports[" + i++ + "].", "nodePort", own, undo, dryRun);
        }
    }

    /** Takes the port that a field asks for, or any, which the field then names. */
    private void takeNodePort(
            ObjectNode service,
            ObjectNode holder,
            String path,
            String field,
            Set<Long> own,
            List<Runnable> undo,
            boolean dryRun) {
        long asked = holder.path(field).asLong();
        if (asked == 0) {
            long number = allocator
                    .takeNodePort(dryRun)
                    .orElseThrow(() -> ApiException.of(
                            StatusReason.INTERNAL_ERROR, "failed to allocate a nodePort: range is full"));
            undo.add(() -> allocator.giveBackNodePort(number, dryRun));
            holder.put(field, (int) number);
        } else if (!own.contains(asked)) {
            takeNodePort(service, path + field, asked, dryRun);
            undo.add(() -> allocator.giveBackNodePort(asked, dryRun));
        }
    }

    private void takeNodePort(ObjectNode service, String field, long asked, boolean dryRun) {
        if (!allocator.isNodePort(asked)) {
            throw invalid(
                    service,
                    FieldError.invalid(
                            field,
                            asked,
                            "provided port is not in the valid range. The range of valid ports is 30000-32767"));
        }
        if (!allocator.takeNodePort(asked, dryRun)) {
            throw invalid(service, FieldError.invalid(field, asked, "provided port is already allocated"));
        }
    }

    private void giveBackNodePort(long port) {
        allocator.giveBackNodePort(port, false);
    }

    /** The node ports of a service, that of its health included. */
    static Set<Long> nodePorts(ObjectNode service) {
        Set<Long> ports = new HashSet<>();
        for (ObjectNode port : Trees.objects(Trees.at(service, "spec", "ports"))) {
            ports.add(port.path("nodePort").asLong());
        }
        ports.add(Trees.at(service, "spec", "healthCheckNodePort").asLong());
        ports.remove(0L);
        return ports;
    }

    private static ApiException invalid(ObjectNode service, FieldError error) {
        return ApiException.invalid("", "Service", Trees.text(service, "metadata", "name"), List.of(error));
    }
}
