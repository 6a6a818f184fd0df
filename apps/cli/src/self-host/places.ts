import { join, resolve } from 'node:path'
import type { Env } from '../io.ts'
import { requireCheckout } from './checkout.ts'

/** The paths at which the platform of this machine is kept. */
export interface Places {
  readonly checkout: string
  readonly data: string
  /** NAME=VALUE lines that the platform reads when it starts. */
  readonly settings: string
  readonly log: string
  /** The log of the run before. */
  readonly previous_log: string
  /** The file that names the process of `self-host start`. */
  readonly process: string
  /** The settings of the containers: addresses, folders, and secrets that are made once. */
  readonly compose_env: string
  /** The data of the containers, beside the volumes of PostgreSQL and Redis. */
  readonly compose_data: string
}

export async function placesOf(env: Env): Promise<Places> {
  const checkout = await requireCheckout('self-host')
  const data = resolve(checkout, env['SVC_DATA_DIR'] || '.data')
  return {
    checkout,
    data,
    settings: join(data, 'settings.env'),
    log: join(data, 'svc.log'),
    previous_log: join(data, 'svc.log.1'),
    process: join(data, 'self-host.json'),
    compose_env: join(data, 'compose.env'),
    compose_data: join(data, 'compose'),
  }
}
