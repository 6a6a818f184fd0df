import { accept, app, reject, top } from './case.ts'
import type { Case } from './case.ts'

const at = (path: string) => `apps.x.${path}`
const docker = 'type: dockerfile, command: [run], port: 3000'

export const appCases: readonly Case[] = [
  accept('type `static` needs nothing more', app('type: static, root: site, output_dir: dist, spa: true')),
  accept('type `bundle` needs nothing more', app('type: bundle, path: worker')),
  accept('type `dockerfile` with command and port', app(`${docker}, dockerfile: x/Dockerfile`)),
  accept(
    'type `oci_image` with image, command and port',
    app('type: oci_image, image: x, command: [run], port: 1'),
  ),
  reject('`type` is required', app('path: x'), at('type')),
  reject('`type` may be nothing else', app('type: lambda'), at('type')),
  reject('an app name matches the slug pattern', top('apps: { Site: { type: static } }'), 'apps.Site'),
  reject('an app is an object', top('apps: { x: static }'), 'apps.x'),
  reject('unknown keys are errors', app('type: static, replicas: 2'), at('replicas')),
  ...['path', 'root', 'output_dir', 'dockerfile'].flatMap((key) => [
    reject(`\`${key}\` is relative`, app(`type: static, ${key}: /x`), at(key)),
    reject(`\`${key}\` has no \`..\` segment`, app(`type: static, ${key}: x/../y`), at(key)),
    reject(`\`${key}\` has length at least 1`, app(`type: static, ${key}: ''`), at(key)),
  ]),
  reject('`image` has length at least 1', app("type: static, image: ''"), at('image')),
  reject('`image` is required for `oci_image`', app('type: oci_image, command: [run], port: 1'), at('image')),
  reject('`command` is required for `oci_image`', app('type: oci_image, image: x, port: 1'), at('command')),
  reject('`port` is required for `oci_image`', app('type: oci_image, image: x, command: [run]'), at('port')),
  reject('`command` is required for `dockerfile`', app('type: dockerfile, port: 1'), at('command')),
  reject('`port` is required for `dockerfile`', app('type: dockerfile, command: [run]'), at('port')),
  reject('`command` has at least one item', app('type: static, command: []'), at('command')),
  reject('`command` has non-empty strings', app("type: static, command: ['']"), at('command[0]')),
  reject('`command` is an array', app('type: static, command: run'), at('command')),
  accept('`port` may be 1', app('type: static, port: 1')),
  accept('`port` may be 65535', app('type: static, port: 65535')),
  reject('`port` is not 0', app('type: static, port: 0'), at('port')),
  reject('`port` is not 65536', app('type: static, port: 65536'), at('port')),
  reject('`port` is not 7331', app('type: static, port: 7331'), at('port')),
  reject('`port` is not 8080', app('type: static, port: 8080'), at('port')),
  reject('`port` is an integer', app('type: static, port: 80.5'), at('port')),
  reject('`port` is a number', app("type: static, port: '80'"), at('port')),
  reject(
    '`install_command` has length at least 1',
    app("type: static, install_command: ''"),
    at('install_command'),
  ),
  reject(
    '`build_command` has length at least 1',
    app("type: static, build_command: ''"),
    at('build_command'),
  ),
  reject('`spa` is a boolean', app('type: static, spa: yes'), at('spa')),
  accept('`readiness_path` starts with `/`', app(`${docker}, readiness_path: /healthz`)),
  reject(
    '`readiness_path` must start with `/`',
    app(`${docker}, readiness_path: healthz`),
    at('readiness_path'),
  ),
  accept('`idle_timeout_seconds` may be 120', app('type: static, idle_timeout_seconds: 120')),
  accept('`idle_timeout_seconds` may be 86400', app('type: static, idle_timeout_seconds: 86400')),
  reject(
    '`idle_timeout_seconds` is not 119',
    app('type: static, idle_timeout_seconds: 119'),
    at('idle_timeout_seconds'),
  ),
  reject(
    '`idle_timeout_seconds` is not 86401',
    app('type: static, idle_timeout_seconds: 86401'),
    at('idle_timeout_seconds'),
  ),
  accept('`monthly_budget_usd` may be 0', app('type: static, monthly_budget_usd: 0')),
  accept('`monthly_budget_usd` may have cents', app('type: static, monthly_budget_usd: 12.5')),
  reject(
    '`monthly_budget_usd` is at least 0',
    app('type: static, monthly_budget_usd: -1'),
    at('monthly_budget_usd'),
  ),
  ...(['cpu', 64, 'memory_gb', 512, 'disk_gb', 2048] as const).flatMap((key, index, all): readonly Case[] => {
    const max = all[index + 1]
    if (typeof key !== 'string' || typeof max !== 'number') return []
    const path = at(`resources.${key}`)
    return [
      accept(`\`resources.${key}\` may be 1 to ${max}`, app(`type: static, resources: { ${key}: ${max} }`)),
      reject(`\`resources.${key}\` is at least 1`, app(`type: static, resources: { ${key}: 0 }`), path),
      reject(
        `\`resources.${key}\` is at most ${max}`,
        app(`type: static, resources: { ${key}: ${max + 1} }`),
        path,
      ),
    ]
  }),
  reject('`resources` has no other keys', app('type: static, resources: { gpu: 1 }'), at('resources.gpu')),
  reject('`resources` is an object', app('type: static, resources: big'), at('resources')),
  accept(
    '`env` and `secrets` map names to strings',
    app('type: static, env: { _A1: x }, secrets: { B: KEY }'),
  ),
  reject(
    'a secret of an app does not begin with `SVC_`',
    app('type: static, secrets: { A: SVC_A }'),
    at('secrets.A'),
  ),
  ...['env', 'secrets'].flatMap((key) => [
    reject(
      `a name in \`${key}\` has no small letters`,
      app(`type: static, ${key}: { a: x }`),
      at(`${key}.a`),
    ),
    reject(
      `a name in \`${key}\` does not begin with a digit`,
      app(`type: static, ${key}: { 1A: x }`),
      at(`${key}.1A`),
    ),
    reject(
      `a name in \`${key}\` does not begin with \`SVC_\``,
      app(`type: static, ${key}: { SVC_A: x }`),
      at(`${key}.SVC_A`),
    ),
    reject(
      `a value in \`${key}\` has length at least 1`,
      app(`type: static, ${key}: { A: '' }`),
      at(`${key}.A`),
    ),
    reject(`a value in \`${key}\` is a string`, app(`type: static, ${key}: { A: 1 }`), at(`${key}.A`)),
  ]),
]
