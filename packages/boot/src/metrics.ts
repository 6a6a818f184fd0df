import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  readonly content_type: string
  counter<L extends string>(name: string, help: string, labels?: readonly L[]): Counter<L>
  /** With `read`, the value is looked up when the metrics are asked for. */
  gauge<L extends string>(
    name: string,
    help: string,
    labels?: readonly L[],
    read?: () => Promise<number> | number,
  ): Gauge<L>
  histogram<L extends string>(
    name: string,
    help: string,
    labels?: readonly L[],
    buckets?: readonly number[],
  ): Histogram<L>
  render(): Promise<string>
}

/** The buckets from a fast query to the longest request, in seconds. */
const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25]

/** One registry a deployable, labelled with its name, with the usual figures of a Node process in it. */
export function createMetrics(name: string): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ service: name })
  collectDefaultMetrics({ register: registry })
  const common = { registers: [registry] }
  return {
    content_type: registry.contentType,
    counter: (metric, help, labels = []) =>
      new Counter({ name: metric, help, labelNames: labels, ...common }),
    gauge: (metric, help, labels = [], read) =>
      new Gauge({
        name: metric,
        help,
        labelNames: labels,
        ...common,
        ...(read
          ? {
              async collect() {
                this.set(await read())
              },
            }
          : {}),
      }),
    histogram: (metric, help, labels = [], buckets = seconds) =>
      new Histogram({ name: metric, help, labelNames: labels, buckets: [...buckets], ...common }),
    render: () => registry.metrics(),
  }
}
