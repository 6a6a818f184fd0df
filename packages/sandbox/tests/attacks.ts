/** Attacks by hostile code in a sandbox, as commands for its shell; each prints one line. */

/** Prints `connected`, or why not. */
export function reach(port: number, host = '127.0.0.1'): string {
  return nodeScript(`require('net').connect(${port}, '${host}')
    .on('connect', () => say('connected')).on('error', (error) => say(error.code))`)
}

/** A unix socket by its path, or in the abstract namespace when the path begins with @. */
export function reachSocket(path: string): string {
  const name = path.startsWith('@') ? `'\\0' + '${path.slice(1)}'` : `'${path}'`
  return nodeScript(`require('net').connect({ path: ${name} })
    .on('connect', () => say('connected')).on('error', (error) => say(error.code))`)
}

/** Past the daemon, straight to the platform's relay: prints the first line of the answer, or `closed`. */
export function askRelay(line: string, more = ''): string {
  return nodeScript(`const folder = process.env.SVC_RELAY_DIR
    const [name] = require('fs').readdirSync(folder)
    const line = ${JSON.stringify(line)}.replace('ID', process.env.SVC_SANDBOX_ID)
    let heard = ''
    require('net').connect(folder + '/' + name, function () { this.write(line + '\\n' + ${JSON.stringify(more)}) })
      .on('data', (data) => { heard += data; if (heard.includes('\\n')) say(heard.split('\\r\\n')[0].trim()) })
      .on('error', (error) => say(error.code)).on('close', () => say(heard.trim() || 'closed'))`)
}

export function askProxy(target: string): string {
  return askRelay('ID proxy', `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`)
}

/** Asks the proxy for each target in turn; prints those to which there is a way, a line each. */
export function askAllOfProxy(targets: readonly string[]): string {
  return nodeScript(`const folder = process.env.SVC_RELAY_DIR
    const [name] = require('fs').readdirSync(folder)
    const ask = (target) => new Promise((resolve) => {
      const socket = require('net').connect(folder + '/' + name, () => socket.write(
        process.env.SVC_SANDBOX_ID + ' proxy\\nCONNECT ' + target + ' HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n'))
      socket.on('data', (data) => { socket.destroy(); resolve(String(data).includes(' 200 ')) })
      socket.on('error', () => resolve(false)).on('close', () => resolve(false))
    })
    void (async () => { for (const target of ${JSON.stringify(targets)}) if (await ask(target)) console.log(target) })()`)
}

/** Takes and touches this much memory, then stays. */
export function hog(megabytes: number): string {
  return nodeScript(`const held = []
    for (let count = 0; count < ${megabytes}; count += 8) held.push(Buffer.alloc(8 << 20, 1))
    setInterval(() => held.length, 1000)`)
}

function nodeScript(text: string): string {
  const script = `const say = (word) => { console.log(word); process.exit() }\n${text}`
  return `node -e '${script.replaceAll("'", "'\\''")}'`
}
