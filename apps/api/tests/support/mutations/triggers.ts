import { ask, inProject, type Prepare, some, type Stage } from './prepare.ts'

export const newTrigger: Prepare = async () => ({
  body: { slug: some(), type: 'cron', cron: '0 0 3 * * *', prompt_template: 'x' },
})

export const trigger: Prepare = async (stage) => ({ ids: { slug: await slugOfNew(stage) } })

/** A trigger that no budget is of. */
export async function slugOfNew(stage: Stage): Promise<string> {
  const { body } = await newTrigger(stage)
  return (await ask(stage, 'POST', `${inProject(stage)}/triggers`, body)).pick('slug')
}
