import { publishedEvent } from './published-event.ts'
import type { Prepare } from './prepare.ts'

const happened: Prepare = async ({ platform, objects }) => {
  const { account_id = '', project_id = '' } = objects
  return {
    body: {
      since: undefined,
      states: undefined,
      event_id: await publishedEvent(platform.parts.db, { account_id, project_id }),
    },
  }
}

/** Trials and replays need a subscription that is told of something; any other needs one alone. */
export const eventMutations: Readonly<Record<string, Prepare>> = {
  replayEvents: happened,
  replayAccountEvents: happened,
}
