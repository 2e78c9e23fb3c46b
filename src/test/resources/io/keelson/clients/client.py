"""Usage: client.py objects|follow KUBECONFIG NAMESPACE

objects creates, lists, replaces, patches and deletes config maps and ends; follow lists and watches them until it is
killed. Both print a line for each thing that is done or seen.
"""

import copy
import json
import sys
import time

import urllib3
from kubernetes import client, config, watch

RECONNECT_SECONDS = 0.1


def say(*words):
    print(*words, flush=True)


def refused(call):
    try:
        call()
    except client.ApiException as error:
        say("refused", error.status, json.loads(error.body)["reason"])
    else:
        say("not refused")


def config_map(name):
    return {"metadata": {"name": name, "labels": {"app": name}}, "data": {"value": "1"}}


def objects(core, namespace):
    def create(name):
        created = core.create_namespaced_config_map(namespace, config_map(name))
        say("created", created.metadata.name, created.data["value"])

    def read():
        return core.read_namespaced_config_map("a", namespace)

    def replace(before, value):
        after = copy.deepcopy(before)
        after.data["value"] = value
        replaced = core.replace_namespaced_config_map("a", namespace, after)
        say("replaced", replaced.metadata.name, replaced.data["value"])

    def names(**options):
        return [item.metadata.name for item in core.list_namespaced_config_map(namespace, **options).items]

    create("a")
    create("b")
    refused(lambda: create("a"))
    say("listed", *names())
    say("listed by label", *names(label_selector="app=b"))

    before = read()
    replace(before, "2")
    refused(lambda: replace(before, "3"))
    replace(read(), "3")
    patched = core.patch_namespaced_config_map("a", namespace, [{"op": "replace", "path": "/data/value", "value": "4"}])
    say("patched", patched.metadata.name, patched.data["value"])

    core.delete_namespaced_config_map("a", namespace, propagation_policy="Background")
    say("deleted", "a")
    refused(read)
    say("listed", *names())


def follow(core, namespace):
    listed = core.list_namespaced_config_map(namespace)
    for item in listed.items:
        say("added", item.metadata.name, item.data["value"])
    seen = listed.metadata.resource_version
    while True:
        try:
            stream = watch.Watch().stream(core.list_namespaced_config_map, namespace, resource_version=seen)
            for event in stream:
                item = event["object"]
                seen = item.metadata.resource_version
                say(event["type"].lower(), item.metadata.name, item.data["value"])
        except urllib3.exceptions.HTTPError:
            # The server went away or is not back yet.
            time.sleep(RECONNECT_SECONDS)


def main(mode, kubeconfig, namespace):
    config.load_kube_config(kubeconfig)
    {"objects": objects, "follow": follow}[mode](client.CoreV1Api(), namespace)


main(*sys.argv[1:])
