// Joins the figures of several serving processes into those of the node.
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client'
import { createRealmLabels } from './realm-labels.ts'

export type MetricsJson = MetricObjectWithValues<MetricValue<string>>[]

export interface ProcessSum {
  // Remembers the latest figures of one process.
  update(process: number, metrics: MetricsJson): void
  // A process that ended leaves its counters behind: without them the sum would fall, and a falling counter reads as a reset.
  retire(process: number): void
  text(): Promise<string>
}

export function createProcessSum({ maxRealms }: { maxRealms: number }): ProcessSum {
  // Each process admits its own realms; this second gate keeps the limit for the node as a whole.
  const realms = createRealmLabels(maxRealms)
  const latest = new Map<number, MetricsJson>()
  let retired: MetricsJson = []

  return {
    update: (process, metrics) =>
      void latest.set(
        process,
        foldRealms(metrics, (realm) => realms.label(realm)),
      ),
    retire(process) {
      const last = latest.get(process)
      latest.delete(process)
      if (last === undefined) return
      const counters = last.filter((metric) => isCumulative(metric))
      retired = aggregate([retired, counters]).metrics
    },
    text: () => aggregate([...latest.values(), retired]).text(),
  }
}

// prom-client sends the metric type as a name, although its types call it a number.
function isCumulative(metric: MetricsJson[number]): boolean {
  return ['counter', 'histogram'].includes(String(metric.type))
}

function aggregate(parts: MetricsJson[]): { metrics: MetricsJson; text(): Promise<string> } {
  const registry = AggregatorRegistry.aggregate(parts)
  // What `aggregate` registers are plain objects that hold their summed values.
  const metrics = registry.getMetricsAsArray() as unknown as MetricsJson
  return { metrics: metrics.map((metric) => ({ ...metric })), text: () => registry.metrics() }
}

function foldRealms(metrics: MetricsJson, label: (realm: string) => string): MetricsJson {
  return metrics.map((metric) => ({
    ...metric,
    values: metric.values.map((value) => {
      const realm = value.labels.realm
      return typeof realm === 'string' ? { ...value, labels: { ...value.labels, realm: label(realm) } } : value
    }),
  }))
}
