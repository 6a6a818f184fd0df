import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { MetricFamily } from './metric-family.ts'
import { type LabelsOf, type MetricName, metricsCatalogue, type NameOf } from './metrics-catalogue.ts'

type Labels<N extends MetricName> = Readonly<Record<LabelsOf<N>, string>>

/** Writes measurements. Every name and label is in the catalogue. */
export interface Meter {
  count<N extends NameOf<'counter'>>(name: N, labels: Labels<N>, by?: number): void
  observe<N extends NameOf<'histogram'>>(name: N, labels: Labels<N>, seconds: number): void
  set<N extends NameOf<'gauge'>>(name: N, labels: Labels<N>, value: number): void
  /** Adds to a gauge; a negative number takes away. */
  add<N extends NameOf<'gauge'>>(name: N, labels: Labels<N>, by: number): void
  /** Sets a whole family at once: a series that is not named is gone. */
  replace<N extends NameOf<'gauge'>>(
    name: N,
    series: readonly { readonly labels: Labels<N>; readonly value: number }[],
  ): void
}

export interface Metrics extends Meter {
  readonly content_type: string
  /** Called each time that the metrics are asked for; an error leaves the values as they were. */
  beforeRender(read: () => unknown): void
  render(): Promise<string>
}

/**
 * One registry for a process, labelled with its name, with the usual figures of a Node process in it. The families that
 * this service owns are there from the start; a process that is no single service owns them all.
 */
export function createMetrics(service: string): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  collectDefaultMetrics({ register: registry })
  const [counters, gauges, histograms] = [
    shelf(counterOf, registry),
    shelf(gaugeOf, registry),
    shelf(histogramOf, registry),
  ]
  const shelves = { counter: counters, gauge: gauges, histogram: histograms }
  const isOne = metricsCatalogue.some(({ owners }) => owners.some((owner) => owner === service))
  for (const { name, type, owners } of metricsCatalogue)
    if (!isOne || owners.some((owner) => owner === service)) shelves[type](name)
  const reads: (() => unknown)[] = []
  return {
    content_type: registry.contentType,
    count: (name, labels, by = 1) => counters(name).inc({ ...labels }, by),
    observe: (name, labels, seconds) => histograms(name).observe({ ...labels }, seconds),
    set: (name, labels, value) => gauges(name).set({ ...labels }, value),
    add: (name, labels, by) => gauges(name).inc({ ...labels }, by),
    replace(name, series) {
      const gauge = gauges(name)
      gauge.reset()
      for (const { labels, value } of series) gauge.set({ ...labels }, value)
    },
    beforeRender: (read) => void reads.push(read),
    async render() {
      await Promise.allSettled(reads.map(async (read) => read()))
      return registry.metrics()
    },
  }
}

/** The instruments of one type by name, each made when it is first asked for. */
function shelf<I>(make: (family: MetricFamily, registry: Registry) => I, registry: Registry) {
  const made = new Map<string, I>()
  return (name: string): I => {
    const found = made.get(name)
    if (found !== undefined) return found
    const family = metricsCatalogue.find((one) => one.name === name)
    if (!family) throw new Error(`The catalogue of metrics has no ${name}.`)
    const instrument = make(family, registry)
    made.set(name, instrument)
    return instrument
  }
}

const settingsOf = ({ name, help, labels }: MetricFamily, registry: Registry) => ({
  name,
  help,
  labelNames: labels,
  registers: [registry],
})

/** Series begin at 0, so that the first increase is seen as one. */
function counterOf(family: MetricFamily, registry: Registry): Counter {
  const counter = new Counter(settingsOf(family, registry))
  for (const labels of knownSeries(family)) counter.inc(labels, 0)
  return counter
}

function gaugeOf(family: MetricFamily, registry: Registry): Gauge {
  return new Gauge(settingsOf(family, registry))
}

function histogramOf(family: MetricFamily, registry: Registry): Histogram {
  const histogram = new Histogram({
    ...settingsOf(family, registry),
    buckets: [...(family.buckets ?? [])],
  })
  for (const labels of knownSeries(family)) histogram.zero(labels)
  return histogram
}

/** Every series of a family whose labels have known values; none of another one. */
function knownSeries({ labels, values = {} }: MetricFamily): Record<string, string>[] {
  return labels.reduce<Record<string, string>[]>(
    (series, label) =>
      series.flatMap((one) => (values[label] ?? []).map((value) => ({ ...one, [label]: value }))),
    [{}],
  )
}
