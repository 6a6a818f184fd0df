import manifest from '../../package.json' with { type: 'json' }

/** The release of this build; every package of one carries the same. */
export const { version } = manifest
