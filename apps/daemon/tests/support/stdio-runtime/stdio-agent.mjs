/** A small agent that speaks JSON lines over its standard input and output, and has no server. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { TextDecoderStream } from 'node:stream/web'

const { AbortController } = globalThis
const folder = join(process.env.HOME, '.svc/stdio')
mkdirSync(folder, { recursive: true })
let conversation = { id: '', messages: [] }
let turn = null

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`)
const signal = (fields) => say({ signal: fields })
const now = () => new Date().toISOString()
const event = (type, payload) =>
  signal({ kind: 'event', event: { event_id: randomUUID(), type, at: now(), payload } })
const state = (name) => signal({ kind: 'session', session_id: conversation.id, state: name })
const save = () => writeFileSync(join(folder, `${conversation.id}.json`), JSON.stringify(conversation))

function add(fields) {
  const n = String(conversation.messages.length).padStart(4, '0')
  const message_id = `msg_${Date.now()}_${n}`
  const message = { message_id, at: now(), text: '', tools: [], error: null, ...fields }
  conversation.messages.push(message)
  save()
  return message
}
const sendMessage = ({ message_id, role, text, error }) => event('message', { message_id, role, text, error })
const sendTool = ({ message_id, tools: [tool] }, call_id) => event('tool', { message_id, call_id, ...tool })

/** One answer of the model, without the attempts that failed. */
async function ask(model, message_id, stop) {
  const messages = conversation.messages.flatMap(({ role, text, tools: [tool] }) => [
    { role, content: text },
    ...(tool ? [{ role: 'tool', tool_call_id: 'call', content: tool.output ?? '' }] : []),
  ])
  for (let attempt = 0; ; attempt += 1) {
    const response = await fetch(`${process.env.SVC_LLM_BASE_URL}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${process.env.SVC_LLM_API_KEY}`, 'content-type': 'application/json' },
      // The last message is the one that is being written.
      body: JSON.stringify({ model, stream: true, messages: messages.slice(0, -1) }),
      signal: stop,
    })
    const mayRetry = response.ok || response.status === 429 || response.status >= 500
    if (!mayRetry || (attempt === 5 && !response.ok)) throw new Error((await response.json()).error.message)
    try {
      if (response.ok) return await readAnswer(response, message_id)
    } catch (error) {
      if (stop.aborted || attempt === 5) throw error
    }
  }
}

async function readAnswer(response, message_id) {
  const answer = { text: '', call: null, usage: null }
  let rest = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()
    for (const line of lines.filter((text) => text.startsWith('data: {'))) {
      const { choices, usage } = JSON.parse(line.slice('data: '.length))
      const { content, tool_calls } = choices[0].delta
      if (content) signal({ kind: 'delta', message_id, delta: content })
      answer.text += content ?? ''
      answer.call = tool_calls?.[0].function ?? answer.call
      answer.usage = usage ?? answer.usage
    }
  }
  if (answer.usage === null) throw new Error('The answer was cut off')
  return answer
}

async function runTool({ tool, input }, stop) {
  if (tool === 'write') {
    writeFileSync(input.path, input.content)
    event('file', { path: relative(process.cwd(), input.path) })
    return 'written'
  }
  const child = spawn('bash', ['-c', input.command], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const end = () => process.kill(-child.pid, 'SIGKILL')
  stop.addEventListener('abort', end)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
  await new Promise((resolve) => child.once('close', resolve))
  stop.removeEventListener('abort', end)
  return output
}

async function step(model, stop) {
  const message = add({ role: 'assistant' })
  try {
    const { text, call, usage } = await ask(model, message.message_id, stop)
    message.text = text
    event('usage', { input_tokens: usage.prompt_tokens, output_tokens: usage.completion_tokens, cost_usd: 0 })
    if (call !== null) {
      const tool = {
        tool: call.name,
        status: 'pending',
        title: null,
        input: JSON.parse(call.arguments),
        output: null,
      }
      message.tools = [tool]
      const call_id = randomUUID()
      sendTool(message, call_id)
      tool.status = 'running'
      sendTool(message, call_id)
      save()
      tool.output = await runTool(tool, stop)
      tool.status = 'completed'
      sendTool(message, call_id)
      stop.throwIfAborted()
    }
    return call !== null
  } catch (error) {
    message.aborted = stop.aborted
    message.error = stop.aborted ? null : error.message
    if (!stop.aborted) event('error', { message: error.message })
    return false
  } finally {
    message.done = true
    save()
    sendMessage(message)
  }
}

async function run({ text, model }) {
  turn = new AbortController()
  state('busy')
  sendMessage(add({ role: 'user', text, done: true }))
  while (await step(model, turn.signal));
  turn = null
  state('idle')
}

const page = ({ message_id, role, at, text, tools, error }) => ({ message_id, role, at, text, tools, error })
const methods = {
  open: ({ known }) => {
    const path = join(folder, `${known}.json`)
    const isKnown = known !== null && existsSync(path)
    conversation = isKnown ? JSON.parse(readFileSync(path, 'utf8')) : { id: randomUUID(), messages: [] }
    return conversation.id
  },
  busy: () => turn !== null,
  marker: () => conversation.messages.at(-1)?.message_id ?? null,
  prompt: (prompt) => void run(prompt),
  record: ({ marker }) => {
    const answers = conversation.messages.filter(
      ({ role, message_id }) => role === 'assistant' && message_id > (marker ?? ''),
    )
    const last = answers.at(-1)
    return { answered: last?.done === true, aborted: last?.aborted === true, error: last?.error ?? null }
  },
  abort: () => turn?.abort(),
  revert: ({ message_id }) => {
    conversation.messages = conversation.messages.filter((message) => message.message_id < message_id)
    save()
  },
  messages: ({ limit, before }) => {
    const earlier = conversation.messages.filter(
      ({ message_id }) => before === undefined || message_id < before,
    )
    const messages = earlier.slice(-limit)
    return {
      messages: messages.map(page),
      next_before: messages.length < earlier.length ? messages[0].message_id : null,
    }
  },
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    say({ id, result: methods[method](params) ?? null })
  })
  .on('close', () => process.exit(0))
