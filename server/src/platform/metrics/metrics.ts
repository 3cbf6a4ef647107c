// The counters of the specification, the request histogram and the process figures, in one registry of our own.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { createRealmLabels } from './realm-labels.ts'

export type LoginOutcome = 'success' | 'failure'
export type AdminWriteOutcome = 'success' | 'denied'

const loginOutcomes: readonly LoginOutcome[] = ['success', 'failure']
const adminWriteOutcomes: readonly AdminWriteOutcome[] = ['success', 'denied']
// Only these write; anything else a client sends as a method must not become a label.
const writeMethods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const
const requestMethods: ReadonlySet<string> = new Set([...writeMethods, 'GET', 'HEAD', 'OPTIONS'])
// From a cached JWKS answer (below a millisecond) to the longest wait behind the password lane.
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export interface GaugeOptions {
  // How the processes of one node are joined. `first` suits what all of them see alike, such as a queue in the database.
  aggregator?: 'sum' | 'first' | 'min' | 'max' | 'average'
}

export interface Metrics {
  registry: Registry
  contentType: string
  maxRealms: number
  // The four named counters appear with value 0 for this realm.
  ensureRealm(realm: string): void
  login(realm: string, outcome: LoginOutcome): void
  tokenIssued(realm: string): void
  mfaChallenge(realm: string): void
  adminWrite(realm: string, method: string, outcome: AdminWriteOutcome): void
  // `route` is the pattern of the route table, never the path a client sent.
  observeRequest(method: string, route: string, status: number, seconds: number): void
  auditForwardDropped(count?: number): void
  webhookDelivery(outcome: 'success' | 'failure'): void
  gauge(name: string, help: string, collect: () => number | Promise<number>, options?: GaugeOptions): void
  counter(name: string, help: string): { add(count?: number): void }
  text(): Promise<string>
}

export function createMetrics({ maxRealms }: { maxRealms: number }): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const counters = createCounters(registry)
  const realms = createRealmLabels(maxRealms)
  const ensured = new Set<string>()

  return {
    registry,
    contentType: registry.contentType,
    maxRealms,
    ensureRealm(realm) {
      const label = realms.label(realm)
      if (ensured.has(label)) return
      ensured.add(label)
      for (const outcome of loginOutcomes) counters.logins.inc({ realm: label, outcome }, 0)
      counters.tokens.inc({ realm: label }, 0)
      counters.challenges.inc({ realm: label }, 0)
      for (const method of writeMethods) {
        for (const outcome of adminWriteOutcomes) counters.adminWrites.inc({ realm: label, method, outcome }, 0)
      }
    },
    login: (realm, outcome) => counters.logins.inc({ realm: realms.label(realm), outcome }),
    tokenIssued: (realm) => counters.tokens.inc({ realm: realms.label(realm) }),
    mfaChallenge: (realm) => counters.challenges.inc({ realm: realms.label(realm) }),
    adminWrite(realm, method, outcome) {
      const known = writeMethods.find((candidate) => candidate === method)
      if (known !== undefined) counters.adminWrites.inc({ realm: realms.label(realm), method: known, outcome })
    },
    observeRequest(method, route, status, seconds) {
      counters.requests.observe({ method: requestMethods.has(method) ? method : 'other', route, status }, seconds)
    },
    auditForwardDropped: (count = 1) => counters.auditDropped.inc(count),
    webhookDelivery: (outcome) => counters.webhooks.inc({ outcome }),
    gauge: (name, help, collect, options) => registerGauge(registry, name, help, collect, options),
    counter(name, help) {
      const counter = new Counter({ name, help, registers: [registry] })
      return { add: (count = 1) => counter.inc(count) }
    },
    text: () => registry.metrics(),
  }
}

function createCounters(registry: Registry) {
  const registers = [registry]
  const webhooks = new Counter({
    name: 'svc_webhook_delivery_total',
    help: 'Webhook deliveries that ended, by outcome',
    labelNames: ['outcome'],
    registers,
  })
  for (const outcome of ['success', 'failure']) webhooks.inc({ outcome }, 0)
  return {
    webhooks,
    logins: new Counter({
      name: 'svc_login_total',
      help: 'Sign-ins that ended, by realm and outcome',
      labelNames: ['realm', 'outcome'],
      registers,
    }),
    tokens: new Counter({
      name: 'svc_tokens_issued_total',
      help: 'Successful token responses, by realm',
      labelNames: ['realm'],
      registers,
    }),
    challenges: new Counter({
      name: 'svc_mfa_challenge_total',
      help: 'Second-factor challenges shown, by realm',
      labelNames: ['realm'],
      registers,
    }),
    adminWrites: new Counter({
      name: 'svc_admin_write_total',
      help: 'Administrative writes, by realm, HTTP method and outcome',
      labelNames: ['realm', 'method', 'outcome'],
      registers,
    }),
    auditDropped: new Counter({
      name: 'svc_audit_forward_dropped_total',
      help: 'Audit events the HTTP forwarder gave up on',
      registers,
    }),
    requests: new Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'Time to answer a request, by method, route and status',
      labelNames: ['method', 'route', 'status'],
      buckets: requestBuckets,
      registers,
    }),
  }
}

function registerGauge(
  registry: Registry,
  name: string,
  help: string,
  collect: () => number | Promise<number>,
  { aggregator = 'sum' }: GaugeOptions = {},
): void {
  new Gauge({
    name,
    help,
    aggregator,
    registers: [registry],
    async collect() {
      // A figure that cannot be had is left out; the rest of the page must still be readable.
      try {
        this.set(await collect())
      } catch {
        this.reset()
        this.remove()
      }
    },
  })
}
