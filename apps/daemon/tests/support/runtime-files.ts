/** Answers with a page, an event stream or an echo over a WebSocket; says on which port in `port.txt`. */
const program = `import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
const server = createServer((request, response) => {
  if (request.url !== '/events') return response.end('seen ' + request.url)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write('data: first\\n\\n')
})
server.on('upgrade', (request, socket) => {
  const key = request.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
  const accept = createHash('sha1').update(key).digest('base64')
  const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade']
  socket.write([...head, 'Sec-WebSocket-Accept: ' + accept, '', ''].join('\\r\\n'))
  socket.write(Buffer.from([0x81, 5, ...Buffer.from('hello')]))
})
server.listen(0, process.env.SVC_SANDBOX_ADDRESS, () => writeFileSync('port.txt', String(server.address().port)))
`

/** A repository with a manifest that names the runtime, agents of its own, and two skills of which one is allowed. */
export function runtimeFiles(runtime: string): Readonly<Record<string, string>> {
  const skill = (name: string) => `---\nname: ${name}\ndescription: how to do ${name}\n---\nDo it.\n`
  return {
    'README.md': 'hello\n',
    'preview.mjs': program,
    'AGENTS.md': 'The repository asks for short lines.\n',
    'svc.yaml': `svc_version: 2
default_agent: coder
runtime: ${runtime}
agentrt:
  config_dir: tools/agent
agents:
  coder:
    skills: all
  reviewer:
    skills: none
`,
    'tools/agent/agents/coder.md': `---
description: writes code
mode: primary
permission:
  bash:
    "*": allow
    "touch asked*": ask
  skill:
    "*": allow
    other-skill: allow
---
You write code in the house style.
`,
    'tools/agent/agents/reviewer.md': `---
description: reads code
mode: all
model: vendor/agent-model
temperature: 0.1
permission:
  edit: deny
  bash: deny
---
You only read.
`,
    'tools/agent/skills/release-notes/SKILL.md': skill('release-notes'),
    'tools/agent/skills/other-skill/SKILL.md': skill('other-skill'),
  }
}
