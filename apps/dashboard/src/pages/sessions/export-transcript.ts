import type { Client } from '@svc/sdk'
import { saveFile } from '../../parts/save-file.ts'

/** Saves the conversation as a file of this computer. */
export async function exportTranscript(
  client: Client,
  project_id: string,
  session_id: string,
): Promise<void> {
  const transcript = await client.projects.sessions.transcript(project_id, session_id)
  const name = `session-${session_id.slice(0, 8)}.json`
  saveFile(name, 'application/json', JSON.stringify(transcript, null, 2))
}
