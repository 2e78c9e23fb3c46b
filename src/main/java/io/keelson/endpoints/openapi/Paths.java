package io.keelson.endpoints.openapi;

import io.keelson.api.GroupVersionKind;
import io.keelson.endpoints.discovery.ApiSurface;
import io.keelson.endpoints.discovery.GroupVersion;
import io.keelson.endpoints.discovery.ServedResources;
import io.keelson.endpoints.discovery.Subresource;
import io.keelson.endpoints.output.PatchType;
import io.keelson.registry.ResourceDefinition;
import io.keelson.schema.SchemaLibrary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Derives paths and operations from what a resource is served with. Not thread-safe. */
final class Paths {
    private static final Parameter PRETTY = Parameter.query("pretty", "string");
    private static final Parameter NAME = Parameter.path("name");
    private static final Parameter NAMESPACE = Parameter.path("namespace");

    private static final List<Parameter> LIST =
            query("allowWatchBookmarks:boolean,continue,fieldSelector,labelSelector,limit:integer,resourceVersion,"
                    + "resourceVersionMatch,sendInitialEvents:boolean,timeoutSeconds:integer,watch:boolean");
    private static final List<Parameter> WRITE = query("dryRun,fieldManager,fieldValidation");
    private static final List<Parameter> PATCH = query("dryRun,fieldManager,fieldValidation,force:boolean");
    private static final List<Parameter> DELETE =
            query("dryRun,gracePeriodSeconds:integer,ignoreStoreReadErrorWithClusterBreakingPotential:boolean,"
                    + "orphanDependents:boolean,propagationPolicy");
    private static final List<Parameter> DELETE_COLLECTION =
            query("continue,dryRun,fieldSelector,gracePeriodSeconds:integer,"
                    + "ignoreStoreReadErrorWithClusterBreakingPotential:boolean,labelSelector,limit:integer,"
                    + "orphanDependents:boolean,propagationPolicy,resourceVersion,resourceVersionMatch,"
                    + "sendInitialEvents:boolean,timeoutSeconds:integer");

    private final Schemas schemas;

    Paths(Schemas schemas) {
        this.schemas = schemas;
    }

    /** The paths of a resource, the collection first. */
    List<PathItem> of(ResourceDefinition resource) {
        var paths = new ArrayList<PathItem>();
        GroupVersion version = ServedResources.groupVersion(resource);
        String root = "/" + version.path() + "/";
        String scope = resource.namespaced() ? "namespaces/{namespace}/" : "";
        List<Parameter> collectionParameters = resource.namespaced() ? List.of(NAMESPACE, PRETTY) : List.of(PRETTY);
        List<Parameter> objectParameters =
                resource.namespaced() ? List.of(NAME, NAMESPACE, PRETTY) : List.of(NAME, PRETTY);
        String collection = root + scope + resource.plural();
        paths.add(new PathItem(collection, collectionParameters, collectionOperations(resource)));
        if (ApiSurface.verbs(resource).contains("get")) {
            paths.add(new PathItem(collection + "/{name}", objectParameters, objectOperations(resource)));
        }
        for (Subresource part : ApiSurface.subresources(resource)) {
            if (!part.connects()) {
                paths.add(new PathItem(
                        collection + "/{name}/" + part.name(), objectParameters, partOperations(resource, part)));
            }
        }
        if (ApiSurface.verbs(resource).contains("watch")) {
            addWatchPaths(resource, root, scope, paths);
        }
        if (resource.namespaced() && ApiSurface.verbs(resource).contains("list")) {
            Operation list = operation(resource, "get", "list", resource.kind(), "list", "", "ForAllNamespaces");
            paths.add(new PathItem(root + resource.plural(), List.of(PRETTY), List.of(list)));
        }
        return paths;
    }

    /** The older way to watch, which needs no parameter to say so. */
    private void addWatchPaths(ResourceDefinition resource, String root, String scope, List<PathItem> paths) {
        String collection = root + "watch/" + scope + resource.plural();
        List<Parameter> own = resource.namespaced() ? List.of(NAMESPACE) : List.of();
        paths.add(watchPath(resource, collection, own, "watchlist", scope(resource), "List"));
        List<Parameter> named = Stream.concat(Stream.of(NAME), own.stream()).toList();
        paths.add(watchPath(resource, collection + "/{name}", named, "watch", scope(resource), ""));
        if (resource.namespaced()) {
            String everywhere = root + "watch/" + resource.plural();
            paths.add(watchPath(resource, everywhere, List.of(), "watchlist", "", "ListForAllNamespaces"));
        }
    }

    private PathItem watchPath(
            ResourceDefinition resource, String path, List<Parameter> own, String action, String scope, String suffix) {
        var parameters = new ArrayList<>(own);
        parameters.addAll(LIST);
        parameters.add(PRETTY);
        Operation watch = operation(resource, "get", action, resource.kind(), "watch", scope, suffix);
        return new PathItem(path, parameters, List.of(watch));
    }

    private List<Operation> collectionOperations(ResourceDefinition resource) {
        String scope = scope(resource);
        var all = new ArrayList<Operation>();
        for (String verb : ApiSurface.verbs(resource)) {
            switch (verb) {
                case "list" -> all.add(operation(resource, "get", "list", resource.kind(), "list", scope, ""));
                case "create" -> all.add(operation(resource, "post", "post", resource.kind(), "create", scope, ""));
                case "deletecollection" ->
                    all.add(operation(
                            resource,
                            "delete",
                            "deletecollection",
                            resource.kind(),
                            "delete",
                            "Collection" + scope,
                            ""));
                default -> {}
            }
        }
        return all;
    }

    private List<Operation> objectOperations(ResourceDefinition resource) {
        List<String> verbs = ApiSurface.verbs(resource).stream()
                .filter(verb -> !verb.equals("create"))
                .toList();
        return objectOperations(resource, resource.kind(), verbs, "");
    }

    private List<Operation> partOperations(ResourceDefinition resource, Subresource part) {
        return objectOperations(resource, part.kind(), part.verbs(), capitalized(part.name()));
    }

    private List<Operation> objectOperations(
            ResourceDefinition resource, GroupVersionKind kind, List<String> verbs, String suffix) {
        String scope = scope(resource);
        var all = new ArrayList<Operation>();
        for (String verb : verbs) {
            switch (verb) {
                case "get" -> all.add(operation(resource, "get", "get", kind, "read", scope, suffix));
                case "create" -> all.add(operation(resource, "post", "post", kind, "create", scope, suffix));
                case "update" -> all.add(operation(resource, "put", "put", kind, "replace", scope, suffix));
                case "patch" -> all.add(operation(resource, "patch", "patch", kind, "patch", scope, suffix));
                case "delete" -> all.add(operation(resource, "delete", "delete", kind, "delete", scope, suffix));
                default -> {}
            }
        }
        return all;
    }

    private Operation operation(
            ResourceDefinition resource,
            String method,
            String action,
            GroupVersionKind kind,
            String verb,
            String scope,
            String suffix) {
        GroupVersion version = ServedResources.groupVersion(resource);
        String group = groupWords(version.group());
        String id = verb
                + capitalized(group)
                + capitalized(version.version())
                + scope
                + resource.kind().kind()
                + suffix;
        String self = schemas.nameOf(kind);
        String answer = switch (action) {
            case "list" -> schemas.nameOf(Schemas.listOf(kind));
            case "delete" -> resource.returnsDeletedObject() ? self : SchemaLibrary.STATUS;
            case "deletecollection" -> SchemaLibrary.STATUS;
            case "watch", "watchlist" -> SchemaLibrary.WATCH_EVENT;
            default -> self;
        };
        String body = switch (action) {
            case "post", "put" -> self;
            case "patch" -> SchemaLibrary.PATCH;
            case "delete", "deletecollection" -> SchemaLibrary.DELETE_OPTIONS;
            default -> "";
        };
        return new Operation(
                method,
                action,
                kind,
                id,
                group + "_" + version.version(),
                consumes(resource, action),
                queryOf(action),
                body,
                answer,
                codes(action));
    }

    /** kubectl makes a strategic merge patch where a document names that type, and no other. */
    private static List<String> consumes(ResourceDefinition resource, String action) {
        return action.equals("patch")
                ? PatchType.of(resource).stream().map(PatchType::mediaType).toList()
                : OpenApiWords.MEDIA_TYPES;
    }

    private static List<Parameter> queryOf(String action) {
        return switch (action) {
            case "list" -> LIST;
            case "post", "put" -> WRITE;
            case "patch" -> PATCH;
            case "delete" -> DELETE;
            case "deletecollection" -> DELETE_COLLECTION;
            default -> List.of();
        };
    }

    private static List<Integer> codes(String action) {
        return switch (action) {
            case "post" -> List.of(200, 201, 202);
            case "put", "patch" -> List.of(200, 201);
            case "delete" -> List.of(200, 202);
            default -> List.of(200);
        };
    }

    private static String scope(ResourceDefinition resource) {
        return resource.namespaced() ? "Namespaced" : "";
    }

    /** A group in one word: {@code core}, {@code apps}, {@code rbacAuthorization}. */
    private static String groupWords(String group) {
        if (group.isEmpty()) {
            return "core";
        }
        String bare = group.endsWith(".k8s.io") ? group.substring(0, group.length() - ".k8s.io".length()) : group;
        String joined =
                Arrays.stream(bare.split("[.-]")).map(Paths::capitalized).collect(Collectors.joining());
        return joined.substring(0, 1).toLowerCase(Locale.ROOT) + joined.substring(1);
    }

    private static String capitalized(String word) {
        return word.isEmpty() ? word : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }

    /** Reads names with types, which are strings where nothing else is said. */
    private static List<Parameter> query(String names) {
        return Arrays.stream(names.split(","))
                .map(name -> name.split(":"))
                .map(parts -> Parameter.query(parts[0], parts.length > 1 ? parts[1] : "string"))
                .toList();
    }
}
