import { defaultRuntime, type RuntimeName } from '@svc/facts'
import type { Manifest } from '@svc/manifest'

/** The runtime that a manifest names, where a session's row has to hold one: a row without one means the default. */
export function namedRuntime(manifest: Manifest | null): { readonly runtime?: RuntimeName } {
  return manifest === null || manifest.runtime === defaultRuntime ? {} : { runtime: manifest.runtime }
}
