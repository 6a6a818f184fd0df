import type { RunningPlatform } from './platform.ts'

const once = 'signs you in once, within 10 minutes; the address without its end stays'

/** The text that a person sees when everything runs: one ready line, then what to do next. */
export function readyText(platform: RunningPlatform, ms: number): string {
  const { origin, host, why, model, internal_port, docs, dashboard } = platform
  return [
    '',
    `  svc is ready at ${origin} (started in ${(ms / 1000).toFixed(1)} s)`,
    '',
    `  Sandboxes  ${why}`,
    `  Model      ${model}`,
    `  API        ${origin}/v1${docs ? '/docs' : ''}    metrics on port ${internal_port ?? ''}`,
    ...(dashboard === null ? [] : [`  Dashboard  ${dashboard}`, `             ${once}`]),
    '',
    '  Next, in another terminal:',
    '    npm run demo              watch an agent open a change request, and merge it',
    '    npx svc projects ls       the svc client is logged in to this platform',
    `    npx svc hosts use ${host.padEnd(12)}  and comes back to it after another one`,
    '    npx svc help              everything it can do',
    '',
    '  Ctrl-C stops everything.',
    '',
    '',
  ].join('\n')
}
