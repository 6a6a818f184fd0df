import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import {
  computerLimits,
  computerProtocol,
  type ComputerTool,
  frameFromComputer,
  type FrameFromComputer,
  type FrameToComputer,
  type JsonObject,
} from '@svc/connector'
import { type WebSocket, WebSocketServer } from 'ws'
import type { CallOptions, UpstreamOutcome } from '../../shapes.ts'
import { lost, offline, outcomeOf } from './outcomes.ts'

/** Calls of paired computers, by the id of the connection that each one serves. */
export interface ComputerCalls {
  /** null where the computer is not connected. */
  readonly tools: (connection_id: string) => readonly ComputerTool[] | null
  /** Ends in `computer_offline` where nothing was sent; a call on its way goes on when the computer comes back. */
  readonly call: (
    connection_id: string,
    call: { readonly action: string; readonly args: JsonObject },
    options: CallOptions,
  ) => Promise<UpstreamOutcome>
}

export interface ComputerHub extends ComputerCalls {
  /** Takes a connection whose caller was proved to own the connection; one before it of the same id is closed. */
  readonly upgrade: (connection_id: string, request: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Closes every connection, so that computers dial again: elsewhere, or after a restart. */
  readonly close: () => Promise<void>
}

interface Pending {
  readonly call_id: string
  readonly frame: string
  readonly finish: (outcome: UpstreamOutcome) => void
  readonly onProgress: CallOptions['onProgress']
}

interface Computer {
  readonly socket: WebSocket
  tools: readonly ComputerTool[] | null
  seen: number
}

/** Codes of WebSocket for an end that the computer is not to answer by dialling again, and for one that it is. */
const replaced = 4001
const goingAway = 1001
const wrongFrame = 1008

interface HubOptions {
  /** The name of a computer, and its tools, each time that it says them. */
  readonly onHello?: (connection_id: string, name: string, tools: readonly ComputerTool[]) => void
  readonly ping_ms?: number
  readonly silence_ms?: number
}

/** The platform's end of the WebSockets of paired computers; one process holds those that reached it. */
export function createComputerHub({
  onHello,
  ping_ms = computerLimits.ping_ms,
  silence_ms = computerLimits.silence_ms,
}: HubOptions = {}): ComputerHub {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: computerLimits.frame_bytes,
    handleProtocols: (offered) => (offered.has(computerProtocol) ? computerProtocol : false),
  })
  const computers = new Map<string, Computer>()
  /** By connection: they outlive one that broke. Two may have one id, where a call is tried again. */
  const pending = new Map<string, Set<Pending>>()
  const pendingOf = (connection_id: string) => [...(pending.get(connection_id) ?? [])]
  const callsOf = (connection_id: string, call_id: string) =>
    pendingOf(connection_id).filter((call) => call.call_id === call_id)

  const timer = setInterval(() => {
    for (const { socket, seen } of computers.values()) {
      if (Date.now() - seen > silence_ms) socket.terminate()
      else send(socket, { type: 'ping' })
    }
  }, ping_ms).unref()

  function accept(connection_id: string, socket: WebSocket): void {
    const computer: Computer = { socket, tools: null, seen: Date.now() }
    computers.get(connection_id)?.socket.close(replaced, 'Another computer serves this connection')
    computers.set(connection_id, computer)
    socket.on('error', () => {})
    socket.on('close', () => {
      if (computers.get(connection_id) === computer) computers.delete(connection_id)
    })
    socket.on('message', (data, isBinary) => {
      computer.seen = Date.now()
      const frame = isBinary ? null : frameFromComputer(String(data))
      if (frame === null) socket.close(wrongFrame, 'No frame of this protocol')
      else if (computers.get(connection_id) === computer)
        receive(connection_id, computer, frame, String(data).length)
    })
  }

  function receive(connection_id: string, computer: Computer, frame: FrameFromComputer, size: number): void {
    switch (frame.type) {
      case 'hello': {
        const isFirst = computer.tools === null
        computer.tools = frame.tools
        onHello?.(connection_id, frame.name, frame.tools)
        // The computer answers from its file where it ran them already.
        if (isFirst) for (const { frame: call } of pendingOf(connection_id)) computer.socket.send(call)
        return
      }
      case 'progress':
        for (const { onProgress } of callsOf(connection_id, frame.call_id)) onProgress?.(frame.text)
        return
      case 'result':
        for (const { frame: call, finish } of callsOf(connection_id, frame.call_id))
          finish(outcomeOf(frame.result, { bytes_out: Buffer.byteLength(call), bytes_in: size }))
        return
      case 'pong':
    }
  }

  return {
    tools: (connection_id) => computers.get(connection_id)?.tools ?? null,

    async call(
      connection_id,
      { action, args },
      { signal, beforeSend, idempotency_key: call_id, onProgress },
    ) {
      const isThere = () => (computers.get(connection_id)?.tools ?? null) !== null
      if (!isThere()) return offline
      if (signal.aborted) return lost(false)
      await beforeSend()
      const computer = computers.get(connection_id)
      if (!isThere() || computer === undefined) return offline
      const frame: FrameToComputer = { type: 'call', call_id, action, args }
      return new Promise((resolve) => {
        const calls = pending.get(connection_id) ?? new Set<Pending>()
        pending.set(connection_id, calls)
        const text = JSON.stringify(frame)
        const finish = (outcome: UpstreamOutcome) => {
          signal.removeEventListener('abort', abort)
          calls.delete(entry)
          if (calls.size === 0 && pending.get(connection_id) === calls) pending.delete(connection_id)
          resolve(outcome)
        }
        const abort = () => {
          const current = computers.get(connection_id)
          if (current !== undefined) send(current.socket, { type: 'cancel', call_id })
          finish(lost(true))
        }
        signal.addEventListener('abort', abort, { once: true })
        const entry: Pending = { call_id, frame: text, finish, onProgress }
        calls.add(entry)
        computer.socket.send(text)
        if (signal.aborted) abort()
      })
    },

    upgrade: (connection_id, request, socket, head) =>
      server.handleUpgrade(request, socket, head, (opened) => accept(connection_id, opened)),

    async close() {
      clearInterval(timer)
      for (const { socket } of computers.values()) socket.close(goingAway, 'The platform restarts')
      for (const calls of pending.values()) for (const { finish } of [...calls]) finish(lost(true))
      server.close()
    },
  }
}

function send(socket: WebSocket, frame: FrameToComputer): void {
  socket.send(JSON.stringify(frame), () => {})
}
