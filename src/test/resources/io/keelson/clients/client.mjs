// Usage: node client.mjs objects|follow KUBECONFIG NAMESPACE
//
// objects creates, lists, replaces, patches and deletes config maps and ends; follow runs an informer until it is killed.
// Both print a line for each thing that is done or seen.
import { CoreV1Api, KubeConfig, makeInformer, PatchStrategy, setHeaderOptions } from '@kubernetes/client-node';

const RECONNECT_MILLISECONDS = 100;

const [mode, kubeconfig, namespace] = process.argv.slice(2);
const config = new KubeConfig();
config.loadFromFile(kubeconfig);
const core = config.makeApiClient(CoreV1Api);

function say(...words) {
  console.log(words.join(' '));
}

async function refused(call) {
  try {
    await call();
    say('not refused');
  } catch (error) {
    if (error.code === undefined) {
      throw error;
    }
    say('refused', error.code, JSON.parse(error.body).reason);
  }
}

function configMap(name) {
  return { metadata: { name, labels: { app: name } }, data: { value: '1' } };
}

async function create(name) {
  const created = await core.createNamespacedConfigMap({ namespace, body: configMap(name) });
  say('created', created.metadata.name, created.data.value);
}

async function replace(read, value) {
  const body = { ...read, data: { value } };
  const replaced = await core.replaceNamespacedConfigMap({ namespace, name: read.metadata.name, body });
  say('replaced', replaced.metadata.name, replaced.data.value);
}

async function list(labelSelector) {
  const { items } = await core.listNamespacedConfigMap({ namespace, labelSelector });
  return items.map((item) => item.metadata.name);
}

async function objects() {
  const a = { namespace, name: 'a' };
  await create('a');
  await create('b');
  await refused(() => create('a'));
  say('listed', ...(await list()));
  say('listed by label', ...(await list('app=b')));

  const read = await core.readNamespacedConfigMap(a);
  await replace(read, '2');
  await refused(() => replace(read, '3'));
  await replace(await core.readNamespacedConfigMap(a), '3');
  const patched = await core.patchNamespacedConfigMap(
    { ...a, body: { data: { value: '4' } } },
    setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
  );
  say('patched', patched.metadata.name, patched.data.value);

  await core.deleteNamespacedConfigMap(a);
  say('deleted', 'a');
  await refused(() => core.readNamespacedConfigMap(a));
  say('listed', ...(await list()));
}

async function follow() {
  const informer = makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, () =>
    core.listNamespacedConfigMap({ namespace }),
  );
  const report = (what) => (object) => say(what, object.metadata.name, object.data.value);
  informer.on('add', report('added'));
  informer.on('update', report('modified'));
  informer.on('delete', report('deleted'));
  // An informer stops at an error; its user starts it again.
  informer.on('error', (error) => {
    console.error(error);
    setTimeout(() => informer.start(), RECONNECT_MILLISECONDS);
  });
  await informer.start();
}

await { objects, follow }[mode]();
