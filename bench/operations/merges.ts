import { round } from '../measure.ts'
import { runBench, type Verdict } from '../report.ts'
import { mergeByApi, mergeByGit, openRepository, type Repository } from './merge-work.ts'
import { openPlace, type ServedApi } from './place.ts'

const merges_at_once = 4
const repositories = 50
const shape = { files: 500, commits: 10 }

/** Merges that are done in a second into one repository and into fifty, beside the commands of git alone on the same ones. */
await runBench('operations/merges', async ({ quick }) => {
  const place = await openPlace()
  try {
    const api = await place.api('api', await place.database('merges'), { merges: merges_at_once })
    const [one, many] = quick ? [20, 2] : [400, 20]
    const single = await measure([await openRepository(place, api, one, shape)], api)
    const opened: Repository[] = []
    for (let n = 0; n < repositories; n += 1) opened.push(await openRepository(place, api, many, shape))
    const spread = await measure(opened, api)
    return {
      verdicts: [
        verdictOf('into one repository', single),
        verdictOf(`into ${repositories} repositories`, spread),
      ],
      figures: { merges_at_once, single, spread },
    }
  } finally {
    await place.close()
  }
})

function verdictOf(what: string, { ours, raw }: Awaited<ReturnType<typeof measure>>): Verdict {
  return {
    what: `merges a second ${what}`,
    promise: 'a figure',
    measured: `${ours}/s beside ${raw}/s of git alone: ${round(ours / raw)}x`,
    held: true,
  }
}

/** Every waiting branch is merged through the API, and by git alone. */
async function measure(all: readonly Repository[], api: ServedApi) {
  const most = Math.max(...all.map(({ waiting }) => waiting.length))
  // Neighbours are of different repositories, where there are several, so that they do not wait for each other.
  const work = Array.from({ length: most }, (_, at) =>
    all.flatMap(({ waiting, ...repository }) =>
      waiting.slice(at, at + 1).map((one) => ({ ...repository, ...one })),
    ),
  ).flat()
  const ours = await perSecond(work, merges_at_once, ({ project_id, cr_id }) =>
    mergeByApi(api, project_id, cr_id),
  )
  // Of one branch, each of git's own merges begins where the one before it ended.
  const raw = await perSecond(work, Math.min(all.length, merges_at_once), ({ git_dir, head }) =>
    mergeByGit(git_dir, head),
  )
  return { merges: work.length, ours, raw }
}

async function perSecond<T>(work: readonly T[], at_once: number, run: (one: T) => Promise<void>) {
  const left = work.values()
  const began = performance.now()
  const worker = async () => {
    for (const one of left) await run(one)
  }
  await Promise.all(Array.from({ length: at_once }, worker))
  return round((work.length * 1_000) / (performance.now() - began))
}
