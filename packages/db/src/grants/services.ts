/** The services that have a role of their own, named as `svc_<service>`. */
export const services = [
  'api',
  'scheduler',
  'merge',
  'sandbox',
  'executor',
  'gateway',
  'app',
  'proxy',
  'channel',
] as const
export type Service = (typeof services)[number]

/**
 * The verbs of a service on a table, by PostgreSQL's letters: r reads, a inserts, w updates, d deletes. Beside them, o reads
 * every column but the sealed ones, l locks rows, and columns in brackets are the only ones of the verb before them.
 */
export type Verbs = string

/** The rights of services on one table. */
export type ServiceGrants = Readonly<Partial<Record<Service, Verbs>>>
