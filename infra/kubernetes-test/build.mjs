import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Counts the recipe below: another one is another build. */
const recipe = 2
const version = 'v1.20.2'
const programs = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet', 'kube-proxy']

/** The API types that the server publishes; what only configures its own parts is left out. */
const published = ['pkg', 'vendor/k8s.io/']
const unpublished =
  '/config/|/abac/|vendor/k8s.io/(kube-scheduler|kube-proxy|kubelet|cloud-provider|controller-manager|kube-controller-manager|code-generator|sample-apiserver|kube-openapi|gengo|kubernetes)'

/** Builds of a run, which the next one finds. */
export const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'svc-kubernetes-test')

/** The folder of the programs and of the pod's first process, built unless a former run has. */
export function buildKubernetes() {
  const target = join(cache, `debian-12-recipe-${recipe}`)
  if (existsSync(target)) return target
  mkdirSync(cache, { recursive: true })
  for (const name of readdirSync(cache)) {
    const pid = /^build-(\d+)$/.exec(name)?.[1]
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      rmSync(join(cache, name), { recursive: true, force: true })
  }
  const work = join(cache, `build-${process.pid}`)
  mkdirSync(work)
  try {
    const source = join(work, 'go/src/k8s.io/kubernetes')
    fetchSource(work, source)
    const bin = join(work, 'bin')
    compile(work, source, bin)
    renameSync(bin, target)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return target
}

/** Debian's source package, with lists of its own so that the machine's apt is left as it is. */
function fetchSource(work, source) {
  say('fetching the source package')
  for (const folder of ['sources', 'lists/partial', 'source', 'go/src/k8s.io'])
    mkdirSync(join(work, folder), { recursive: true })
  const entry = (uri, suites) =>
    `Types: deb-src\nURIs: ${uri}\nSuites: ${suites}\nComponents: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n`
  const sources = [
    entry('http://deb.debian.org/debian', 'bookworm bookworm-updates'),
    entry('http://deb.debian.org/debian-security', 'bookworm-security'),
  ]
  writeFileSync(join(work, 'sources/kubernetes.sources'), sources.join('\n'))
  const apt = [
    ['Dir::Etc::SourceList', '/dev/null'],
    ['Dir::Etc::SourceParts', join(work, 'sources')],
    ['Dir::State::lists', join(work, 'lists')],
    ['Dir::Cache::pkgcache', ''],
    ['Dir::Cache::srcpkgcache', ''],
    ['APT::Sandbox::User', 'root'],
  ].flatMap(([name, value]) => ['-o', `${name}=${value}`])
  run('apt-get', [...apt, 'update', '-qq'], { cwd: work })
  run('apt-get', [...apt, 'source', '--download-only', '-qq', 'kubernetes'], { cwd: join(work, 'source') })
  const dsc = readdirSync(join(work, 'source')).find((name) => name.endsWith('.dsc'))
  // apt has checked the signature of the index and, by it, the files.
  run('dpkg-source', ['--no-check', '-x', dsc, source], { cwd: join(work, 'source') })
}

function compile(work, source, bin) {
  const env = {
    ...process.env,
    CGO_ENABLED: '0',
    GO111MODULE: 'off',
    GOCACHE: join(work, 'go-cache'),
    GOFLAGS: '-trimpath',
    GOPATH: join(work, 'go'),
  }
  const go = (args) => run('nice', ['-n', '10', 'go', ...args], { cwd: source, env })
  const stamp = (name, value) =>
    ['component-base', 'client-go/pkg']
      .map((place) => `-X k8s.io/${place}/version.${name}=${value}`)
      .join(' ')
  const flags = `-s -w ${stamp('gitVersion', version)} ${stamp('gitMajor', 1)} ${stamp('gitMinor', 20)}`
  mkdirSync(bin)

  say('building (minutes)')
  // A pod's first process gets a score that only CAP_SYS_RESOURCE may give.
  run(
    'sed',
    [
      '-i',
      's/defaultSandboxOOMAdj int = -998/defaultSandboxOOMAdj int = 0/',
      'pkg/kubelet/dockershim/docker_sandbox.go',
    ],
    {
      cwd: source,
    },
  )
  go([
    'build',
    '-o',
    join(work, 'openapi-gen'),
    'k8s.io/kubernetes/vendor/k8s.io/kube-openapi/cmd/openapi-gen',
  ])
  const generate = `dirs=$(grep -Rl --include='*.go' '+k8s:openapi-gen=' ${published.join(' ')} | xargs -n1 dirname | sort -u |
    grep -v -E '${unpublished}' | sed 's#^#k8s.io/kubernetes/#' | paste -sd,)
    exec nice -n 10 "$0" --logtostderr -i "$dirs" -p k8s.io/kubernetes/pkg/generated/openapi -O zz_generated.openapi \
      -h hack/boilerplate/boilerplate.generatego.txt -r /dev/null --output-base "$GOPATH/src"`
  run('sh', ['-c', generate, join(work, 'openapi-gen')], { cwd: source, env })
  go([
    'build',
    '-ldflags',
    flags,
    '-o',
    `${bin}/`,
    ...programs.map((name) => `k8s.io/kubernetes/cmd/${name}`),
  ])

  const pause = join(work, 'pause.go')
  writeFileSync(
    pause,
    'package main\nimport ("os"; "os/signal"; "syscall")\nfunc main() { c := make(chan os.Signal, 1); signal.Notify(c, syscall.SIGINT, syscall.SIGTERM); <-c }\n',
  )
  go(['build', '-o', join(bin, 'pause'), pause])
}

function run(command, args, options) {
  const { status, signal, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  })
  if (status !== 0)
    throw new Error(`${command} ${args[0]} failed (${status ?? signal}):\n${stdout}${stderr}`.slice(-8_000))
}

function say(text) {
  process.stderr.write(`test:kubernetes: ${text}\n`)
}
