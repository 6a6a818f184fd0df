import type { platformHarnesses as routes } from '@svc/contract'
import type { Http } from '../http/transport.ts'
import type { RequestOptions } from '../options.ts'
import type { HarnessInstalls, HarnessLicence } from './types.ts'

/** The operator's decisions about the programs that may be agents. */
export interface PlatformHarnesses {
  /** The texts that have to be accepted before sessions get it. */
  licence(name: string, options?: RequestOptions): Promise<HarnessLicence>
  /** Accepts the text of this hash for the whole platform; 409 `HARNESS_LICENCE_CHANGED` for any other. */
  accept(name: string, sha256: string, options?: RequestOptions): Promise<HarnessLicence>
  /** No more sessions start with it, those that run go on. */
  revoke(name: string, options?: RequestOptions): Promise<void>
  /** Asks for an install before a session needs it; without a version for the one that new sessions get. */
  install(
    name: string,
    input?: { readonly version?: string },
    options?: RequestOptions,
  ): Promise<HarnessInstalls>
  /** Removes the files of a version; 409 `HARNESS_IN_USE` with the `sessions` that run it. */
  remove(name: string, version: string, options?: RequestOptions): Promise<void>
}

const base = '/v1/admin/harnesses/{name}'

export function platformHarnesses(http: Http): PlatformHarnesses {
  return {
    licence: (name, options = {}) =>
      http.call<typeof routes.getHarnessLicence>(`GET ${base}/licence`, { ...options, params: { name } }),
    accept: (name, sha256, options = {}) =>
      http.call<typeof routes.acceptHarnessLicence>(`PUT ${base}/licence`, {
        ...options,
        params: { name },
        body: { sha256 },
      }),
    revoke: (name, options = {}) =>
      http.call<typeof routes.revokeHarnessLicence>(`DELETE ${base}/licence`, {
        ...options,
        params: { name },
      }),
    install: (name, body = {}, options = {}) =>
      http.call<typeof routes.installHarness>(`POST ${base}/installs`, {
        ...options,
        params: { name },
        body,
      }),
    remove: (name, version, options = {}) =>
      http.call<typeof routes.removeHarness>(`DELETE ${base}/installs/{version}`, {
        ...options,
        params: { name, version },
      }),
  }
}
