import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import {
  computerEnds,
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

/** A request to become a WebSocket, as Node's server has it. */
export interface Upgrade {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
}

export interface ComputerEvents {
  /** The name of the computer, and its tools, each time that it says them. */
  readonly onHello?: (name: string, tools: readonly ComputerTool[]) => void
  /** The connection ended, and no other of the same id took its place here. */
  readonly onGone?: () => void
}

export interface ComputerHub extends ComputerCalls {
  /** Takes a connection whose caller was proved to own the connection; one before it of the same id is closed. */
  readonly upgrade: (connection_id: string, upgrade: Upgrade, events?: ComputerEvents) => void
  /** The ids whose computers are connected here, or have a call on its way from here. */
  readonly held: () => readonly string[]
  /**
   * Ends the connection of one: another process has a newer one (`replaced`), or a person took it away (`removed`). Its
   * calls that are on their way end in `CallLeft`.
   */
  readonly end: (connection_id: string, why: keyof typeof ends) => void
  /** Closes every connection, so that computers dial again: elsewhere, or after a restart. Calls on their way end in `CallLeft`. */
  readonly close: () => Promise<void>
}

/**
 * Thrown by a call that goes on at its computer, and whose end comes to another connection: sent again under its
 * key, it is answered.
 */
export class CallLeft extends Error {
  override readonly name = 'CallLeft'
}

interface Pending {
  readonly call_id: string
  readonly frame: string
  readonly finish: (outcome: UpstreamOutcome) => void
  readonly leave: () => void
  readonly onProgress: CallOptions['onProgress']
}

interface Computer {
  readonly socket: WebSocket
  readonly onHello: ComputerEvents['onHello']
  tools: readonly ComputerTool[] | null
  seen: number
}

const ends = {
  replaced: [computerEnds.replaced, 'Another computer serves this connection'],
  removed: [computerEnds.removed, 'The connection was removed'],
} as const
const wrongFrame = 1008

interface HubOptions {
  readonly ping_ms?: number
  readonly silence_ms?: number
}

/** The platform's end of the WebSockets of paired computers; one process holds those that reached it. */
export function createComputerHub({
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

  function accept(connection_id: string, socket: WebSocket, { onHello, onGone }: ComputerEvents): void {
    const computer: Computer = { socket, tools: null, seen: Date.now(), onHello }
    computers.get(connection_id)?.socket.close(...ends.replaced)
    computers.set(connection_id, computer)
    socket.on('error', () => {})
    socket.on('close', () => {
      if (computers.get(connection_id) !== computer) return
      computers.delete(connection_id)
      onGone?.()
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
        computer.onHello?.(frame.name, frame.tools)
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
      return new Promise((resolve, reject) => {
        const calls = pending.get(connection_id) ?? new Set<Pending>()
        pending.set(connection_id, calls)
        const text = JSON.stringify(frame)
        const forget = () => {
          signal.removeEventListener('abort', abort)
          calls.delete(entry)
          if (calls.size === 0 && pending.get(connection_id) === calls) pending.delete(connection_id)
        }
        const finish = (outcome: UpstreamOutcome) => {
          forget()
          resolve(outcome)
        }
        const leave = () => {
          forget()
          reject(new CallLeft('The call goes on at its computer'))
        }
        const abort = () => {
          const current = computers.get(connection_id)
          if (current !== undefined) send(current.socket, { type: 'cancel', call_id })
          finish(lost(true))
        }
        signal.addEventListener('abort', abort, { once: true })
        const entry: Pending = { call_id, frame: text, finish, leave, onProgress }
        calls.add(entry)
        computer.socket.send(text)
        if (signal.aborted) abort()
      })
    },

    upgrade: (connection_id, { request, socket, head }, events = {}) =>
      server.handleUpgrade(request, socket, head, (opened) => accept(connection_id, opened, events)),

    held: () => [...new Set([...computers.keys(), ...pending.keys()])],

    end(connection_id, why) {
      const [code, reason] = ends[why]
      computers.get(connection_id)?.socket.close(code, reason)
      for (const { leave } of pendingOf(connection_id)) leave()
    },

    async close() {
      clearInterval(timer)
      for (const { socket } of computers.values())
        socket.close(computerEnds.goingAway, 'The platform restarts')
      for (const calls of pending.values()) for (const { leave } of [...calls]) leave()
      server.close()
    },
  }
}

function send(socket: WebSocket, frame: FrameToComputer): void {
  socket.send(JSON.stringify(frame), () => {})
}
