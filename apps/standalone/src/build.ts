import manifest from '../package.json' with { type: 'json' }

/** The version and commit of this build; a release writes its commit into the environment. */
export function build(): { version: string; commit: string } {
  return { version: manifest.version, commit: process.env.SVC_COMMIT ?? 'unknown' }
}
