import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { FakeDelivery } from './types.ts'

type Kind = 'events_api' | 'interactive'

interface Pending {
  readonly kind: Kind
  readonly payload: object
  readonly delivery: FakeDelivery
  readonly done: () => void
  readonly envelope_id: string
  sent_on?: WebSocket
  timer?: NodeJS.Timeout
}

/** Socket Mode: an envelope goes to one of the open connections, and again until it is acknowledged. */
export class FakeSockets {
  readonly #server = new WebSocketServer({ noServer: true })
  readonly #tickets = new Set<string>()
  readonly #pending = new Map<string, Pending>()
  readonly #again_ms: number
  readonly #open: WebSocket[] = []
  /** Those that were told to leave: nothing new goes to them. */
  readonly #leaving = new Set<WebSocket>()
  /** The address that apps are given, where it is not that of the fake. */
  host: string | null = null
  /** The messages of apps, as they arrived. */
  readonly replies: unknown[] = []

  constructor(again_ms: number) {
    this.#again_ms = again_ms
  }

  get open(): number {
    return this.#open.length
  }

  /** The address of a connection that is opened once. */
  ticket(host: string): string {
    const ticket = randomUUID()
    this.#tickets.add(ticket)
    return `ws://${this.host ?? host}/link/?ticket=${ticket}`
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const ticket = new URL(request.url ?? '/', 'http://fake').searchParams.get('ticket') ?? ''
    if (!this.#tickets.delete(ticket)) return void socket.destroy()
    this.#server.handleUpgrade(request, socket, head, (connection) => this.#accept(connection))
  }

  deliver(kind: Kind, payload: object, delivery: FakeDelivery): Promise<void> {
    const envelope_id = randomUUID()
    return new Promise((done) => {
      const pending = { kind, payload, delivery, done, envelope_id }
      this.#pending.set(envelope_id, pending)
      this.#send(pending)
    })
  }

  /** Asks apps to leave; Slack ends the connections some time later. */
  disconnect(reason: 'warning' | 'refresh_requested' | 'link_disabled', end_ms = 100): void {
    for (const connection of [...this.#open]) {
      this.#leaving.add(connection)
      connection.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'fake' } }))
      setTimeout(() => connection.close(), end_ms).unref()
    }
  }

  /** Sends a text as it is. */
  sendRaw(text: string): void {
    for (const connection of this.#open) connection.send(text)
  }

  /** Ends the connections without a word. */
  drop(): void {
    for (const connection of [...this.#open]) connection.terminate()
  }

  /** Keeps the connections, and answers no ping any more. */
  freeze(): void {
    for (const connection of this.#open) connection.pause()
  }

  close(): void {
    for (const { timer, done } of this.#pending.values()) {
      clearTimeout(timer)
      done()
    }
    this.#pending.clear()
    for (const connection of this.#open) connection.close(1001)
    setTimeout(() => this.drop(), 100)
    this.#server.close()
  }

  #accept(connection: WebSocket): void {
    this.#open.push(connection)
    connection.on('message', (data) => this.#reply(JSON.parse(String(data))))
    connection.on('close', () => {
      this.#open.splice(this.#open.indexOf(connection), 1)
      this.#leaving.delete(connection)
      this.#sendLost()
    })
    connection.send(
      JSON.stringify({
        type: 'hello',
        num_connections: this.#open.length,
        debug_info: { host: 'fake', approximate_connection_time: 18_060 },
        connection_info: { app_id: 'A00000001' },
      }),
    )
    this.#sendLost()
  }

  /** Sends whatever no open connection has. */
  #sendLost(): void {
    for (const pending of this.#pending.values())
      if (pending.sent_on === undefined || !this.#open.includes(pending.sent_on)) this.#send(pending)
  }

  #send(pending: Pending): void {
    const { kind, payload, delivery, envelope_id } = pending
    clearTimeout(pending.timer)
    const connection = this.#open.find((one) => !this.#leaving.has(one))
    if (connection === undefined) return
    const retried = kind === 'events_api' && {
      retry_attempt: delivery.attempts,
      retry_reason: delivery.attempts > 0 ? 'timeout' : '',
    }
    delivery.attempts += 1
    const envelope = { envelope_id, payload, type: kind, accepts_response_payload: kind === 'interactive' }
    connection.send(JSON.stringify({ ...envelope, ...retried }))
    pending.sent_on = connection
    pending.timer = setTimeout(() => this.#send(pending), this.#again_ms)
  }

  #reply(reply: unknown): void {
    this.replies.push(reply)
    const { envelope_id } = Object(reply)
    const pending = this.#pending.get(envelope_id)
    if (pending === undefined) return
    this.#pending.delete(envelope_id)
    clearTimeout(pending.timer)
    pending.delivery.status = 200
    pending.done()
  }
}
