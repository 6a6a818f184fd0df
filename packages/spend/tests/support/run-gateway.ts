import { setTimeout as sleep } from 'node:timers/promises'
import { randomUUID } from 'node:crypto'
import { createDatabase, type Db } from '@svc/db'
import { usageOf } from '@svc/models'
import { admitCall, type CallToAdmit, settleCall, startBeats } from '../../src/index.ts'
import { card } from './place.ts'

/** A gateway in a process of its own. It prints what it has done, and waits to be killed. */
const [connection_string = '', what = '', given = '{}'] = process.argv.slice(2)
const call: CallToAdmit = JSON.parse(given)
const db = createDatabase(connection_string)
const silent = { warn: nothing }
const beats = startBeats({ db, log: silent })
const on = (at: Db) => ({ db: at, now: () => new Date(), newId: () => randomUUID() })
setInterval(nothing, 60_000)

if (what === 'streams') {
  for (let n = 0; n < 30; n += 1) void stream(n)
  say('streaming')
} else {
  await stopAt(what)
}

/** Calls one after the other, each with output of another length, until the process is killed. */
async function stream(lane: number): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const one = { ...call, call_id: randomUUID() }
    const admitted = await admitCall(on(db), one)
    if (admitted.outcome === 'refused') {
      await sleep(200)
      continue
    }
    const { call_id } = one
    const usage = usageOf({ input_tokens: 900, output_tokens: (lane * 37 + turn * 11) % 50 })
    beats.add({
      call_id,
      asked_ms: admitted.asked_ms,
      beat: () => beatOf(usage.input_tokens),
      fence: nothing,
    })
    await sleep(20 + ((lane * 13) % 180))
    beats.remove(call_id)
    await settleCall(on(db), { call_id, event: 'finish', http_status: 200, estimated: false, usage, card })
  }
}

async function stopAt(step: string): Promise<void> {
  const { call_id } = call
  const settle = (at: Db) =>
    settleCall(on(at), {
      call_id,
      event: 'finish',
      http_status: 200,
      estimated: false,
      usage: usageOf({ input_tokens: 700, output_tokens: 100 }),
      card,
    })
  if (step === 'admitting')
    return void (await db.transaction().execute(async (tx) => {
      await admitCall(on(tx), call)
      await reported(step)
    }))
  const admitted = await admitCall(on(db), call)
  if (admitted.outcome === 'refused') throw admitted.error
  if (step === 'admitted') return reported(step)
  let beaten = 0
  const fenced = new Promise<void>((resolve) => {
    const beat = () => {
      beaten += 1
      return beatOf(800)
    }
    beats.add({ call_id, asked_ms: admitted.asked_ms, beat, fence: resolve })
  })
  while (beaten < 2) await sleep(50)
  if (step === 'streaming') return reported(step)
  if (step === 'fenced') {
    say('streaming')
    await fenced
    return reported(step)
  }
  beats.remove(call_id)
  if (step === 'ended') return reported(step)
  await db.transaction().execute(async (tx) => {
    await settle(tx)
    await reported(step)
  })
}

function beatOf(lost_micros: number) {
  return { first_byte_ms: 5, input_tokens: lost_micros, output_tokens: 0, lost_micros }
}

function say(step: string): void {
  console.log(step)
}

async function reported(step: string): Promise<void> {
  say(step)
  await new Promise(nothing)
}

function nothing(): void {}
