// The manifests of deploy/kubernetes: valid by the schemas that Kubernetes and the Prometheus operator publish, of
// settings that the service accepts, with probes, ports and commands that it has, and without rights.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { systemRandomness } from '@chartside/server/operator/runtime'
import { PodMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1'
import { Deployment } from 'kubernetes-models/apps/v1'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2'
import { CronJob } from 'kubernetes-models/batch/v1'
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Namespace, PersistentVolumeClaim, Service } from 'kubernetes-models/v1'
import { parse, parseAllDocuments } from 'yaml'
import { buildCli } from '../packages/operator/src/cli.ts'
import { isLongEnough, isServed, readSettings } from './deployed-settings.ts'

const folder = fileURLToPath(new URL('../deploy/kubernetes/', import.meta.url))
const read = (name: string) => readFileSync(`${folder}${name}`, 'utf8')
const { resources, images } = parse(read('kustomization.yaml'))

const MODELS = {
  ...{ ConfigMap, CronJob, Deployment, HorizontalPodAutoscaler, Ingress, Namespace, NetworkPolicy },
  ...{ PersistentVolumeClaim, PodDisruptionBudget, PodMonitor, Service },
}
const isKnown = (kind: string): kind is keyof typeof MODELS => kind in MODELS

function load(name: string) {
  const documents = parseAllDocuments(read(name))
  for (const { errors, warnings } of documents) assert.deepEqual([...errors, ...warnings], [], name)
  return documents.map((document) => document.toJS())
}

const files = globSync('*.yaml', { cwd: folder }).filter((name) => name !== 'kustomization.yaml')
const manifests = files.flatMap(load)
const find = (kind: string, name = 'chartside') =>
  manifests.find((one) => one.kind === kind && one.metadata.name === name) ?? assert.fail(kind)

/** A value whose fields are in `unread` until something reads them: a schema reads each field that it knows. */
function watchReads(value: unknown, path: string, unread: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value
  const fields = new Map<PropertyKey, unknown>()
  for (const [key, inner] of Object.entries(value)) {
    const isField = !Array.isArray(value)
    if (isField) unread.add(`${path}.${key}`)
    fields.set(key, watchReads(inner, `${path}.${key}`, unread))
  }
  return new Proxy(value, {
    get(target, key) {
      unread.delete(`${path}.${String(key)}`)
      return fields.has(key) ? fields.get(key) : Reflect.get(target, key)
    },
  })
}

/** Gives the fields that the schema does not know. @throws by any other violation */
function validate(manifest: { readonly kind: string; readonly apiVersion: string }): string[] {
  const { kind, apiVersion } = manifest
  assert.ok(isKnown(kind), `${kind}: no file has a secret, or another kind`)
  assert.equal(MODELS[kind].apiVersion, apiVersion)
  const unread = new Set<string>()
  const fields = Object.fromEntries(
    Object.entries(manifest).map(([key, inner]) => [
      key,
      watchReads(inner, `${kind}.${key}`, unread),
    ]),
  )
  // Its constructor would copy the fields, and so read them all.
  Object.assign(Object.create(MODELS[kind].prototype), fields).validate()
  return [...unread]
}

test('every manifest is valid by its published schema, and no field is misspelled', () => {
  for (const manifest of manifests) {
    assert.deepEqual(validate(manifest), [])
    if (manifest.kind !== 'Namespace') assert.equal(manifest.metadata.namespace, 'chartside')
  }
  const misspelled = structuredClone(find('Deployment'))
  const [container] = misspelled.spec.template.spec.containers
  container.port = 4700
  assert.deepEqual(validate(misspelled), ['Deployment.spec.template.spec.containers.0.port'])
  container.ports = 'http'
  assert.throws(() => validate(misspelled), /ports/)
})

test('kustomization applies every file but the one that needs custom resources', () => {
  const optional = read('kustomization.yaml').match(/(?<=# - )\S+\.yaml/g) ?? []
  assert.deepEqual([...resources, ...optional].sort(), [...files].sort())
  assert.deepEqual(optional, ['monitoring.yaml'])
  const [{ name, newTag }] = images
  const used = JSON.stringify(manifests).match(/"image":"[^"]*"/g) ?? []
  assert.deepEqual([...new Set(used)], [`"image":"${name}:${newTag}"`])
})

test('probes, drain, disruption budget, no rights, secrets from files', () => {
  const config = readSettings(find('ConfigMap').data)
  const { spec: deployment } = find('Deployment')
  const { metadata, spec: pod } = deployment.template
  const [container] = pod.containers
  const portOf = (name: string) =>
    container.ports.find((port: { name: string }) => port.name === name)?.containerPort

  assert.deepEqual([portOf('http'), portOf('metrics')], [config.port, config.metricsPort])
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
    const { path, port } = container[probe].httpGet
    assert.ok(isServed(path), path)
    assert.equal(port, 'http')
  }
  assert.equal(container.readinessProbe.httpGet.path, '/health/ready')
  assert.notEqual(container.livenessProbe.httpGet.path, '/health/ready')
  const { periodSeconds, failureThreshold } = container.readinessProbe
  assert.ok(config.drainSeconds > periodSeconds * failureThreshold + 2, 'a balancer notices')
  assert.ok(isLongEnough(pod.terminationGracePeriodSeconds, config))

  assert.equal(pod.automountServiceAccountToken, false)
  assert.equal(pod.securityContext.runAsNonRoot, true)
  assert.ok(pod.securityContext.runAsUser > 0)
  const { readOnlyRootFilesystem, allowPrivilegeEscalation, capabilities } =
    container.securityContext
  assert.deepEqual(
    [readOnlyRootFilesystem, allowPrivilegeEscalation, capabilities.drop],
    [true, false, ['ALL']],
  )
  assert.equal(container.env, undefined)
  const { mountPath } = container.volumeMounts.find(
    ({ name }: { name: string }) => name === 'secrets',
  )
  for (const [name, value] of Object.entries<string>(find('ConfigMap').data)) {
    if (name.endsWith('_FILE')) assert.ok(value.startsWith(`${mountPath}/`), name)
  }
  for (const kind of ['Service', 'PodDisruptionBudget', 'NetworkPolicy']) {
    const { selector, podSelector } = find(kind).spec
    const wanted = podSelector?.matchLabels ?? selector.matchLabels ?? selector
    assert.deepEqual(wanted, metadata.labels, kind)
  }
  assert.equal(deployment.replicas, undefined)
  const { minReplicas, scaleTargetRef } = find('HorizontalPodAutoscaler').spec
  assert.ok(find('PodDisruptionBudget').spec.minAvailable < minReplicas)
  assert.equal(scaleTargetRef.name, find('Deployment').metadata.name)
  assert.equal(find('Service').spec.ports[0].targetPort, 'http')
  const open = find('NetworkPolicy').spec.ingress.flatMap((rule: { ports: { port: number }[] }) =>
    rule.ports.map(({ port }) => port),
  )
  assert.deepEqual(open, [config.port, config.metricsPort])
})

const { jobTemplate } = find('CronJob', 'chartside-nightly').spec
const nightly = jobTemplate.spec.template

test('the nightly job runs commands of the image with the settings of the service', () => {
  const cli = buildCli({
    ...{ env: {}, clock: () => 0, randomness: systemRandomness(), isTerminal: false },
    ...{ operator: { user: 'u', host: 'h' }, signal: AbortSignal.abort() },
    ...{ print: assert.fail, note: assert.fail, redraw: assert.fail },
  })
  const steps = [...nightly.spec.initContainers, ...nightly.spec.containers]
  assert.deepEqual(
    steps.map(({ args }: { args: string[] }) => args.join(' ')),
    ['db backup /backups', 'audit archive /archives', 'audit verify --archives /archives'],
  )
  const service = find('Deployment').spec.template.spec
  for (const { args, envFrom, securityContext, volumeMounts } of steps) {
    const group = cli.commands.find((command) => command.name() === args[0])
    const command = group?.commands.find((inner) => inner.name() === args[1])
    assert.ok(command, args.join(' '))
    for (const option of args.filter((word: string) => word.startsWith('--'))) {
      assert.ok(command.options.some(({ long }) => long === option))
    }
    assert.deepEqual(envFrom, service.containers[0].envFrom)
    assert.deepEqual(securityContext, service.containers[0].securityContext)
    const places = volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)
    assert.ok(places.includes(args.at(-1)))
  }
  assert.deepEqual(nightly.spec.securityContext, service.securityContext)
})

test('the network policies let out what the service needs; the job takes nothing', () => {
  const portsOf = (name: string) =>
    find('NetworkPolicy', name).spec.egress.flatMap(({ ports }: { ports: { port: number }[] }) =>
      ports.map(({ port }) => port),
    )
  // Names, PostgreSQL, PgBouncer, mail, a collector of traces, https.
  assert.deepEqual(portsOf('chartside'), [53, 53, 5432, 6432, 465, 587, 4318, 443])
  assert.deepEqual(portsOf('chartside-nightly'), [53, 53, 5432, 6432])
  const job = find('NetworkPolicy', 'chartside-nightly').spec
  assert.deepEqual([job.ingress, job.podSelector.matchLabels], [undefined, nightly.metadata.labels])
})

test('Ingress and PodMonitor reach the ports of the nodes, with the limits of nginx', () => {
  const [{ host, http }] = find('Ingress').spec.rules
  const config = readSettings(find('ConfigMap').data)
  assert.equal(`https://${host}`, config.baseUrl)
  const { name, port } = http.paths[0].backend.service
  assert.equal(name, find('Service').metadata.name)
  assert.equal(port.name, find('Service').spec.ports[0].name)
  const nginx = readFileSync(`${folder}../nginx/chartside.conf`, 'utf8')
  const limits = find('Ingress').metadata.annotations
  const prefix = 'nginx.ingress.kubernetes.io'
  assert.ok(nginx.includes(`proxy_read_timeout ${limits[`${prefix}/proxy-read-timeout`]}s;`))
  assert.ok(nginx.includes(`client_max_body_size ${limits[`${prefix}/proxy-body-size`]};`))
  const [endpoint] = find('PodMonitor').spec.podMetricsEndpoints
  const { ports } = find('Deployment').spec.template.spec.containers[0]
  assert.ok(ports.some((one: { name: string }) => one.name === endpoint.port))
  const alerts = readFileSync(`${folder}../prometheus/alerts.yml`, 'utf8')
  assert.ok(alerts.includes(`{job="${endpoint.relabelings[0].replacement}"}`))
})
