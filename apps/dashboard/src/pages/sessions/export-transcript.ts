import type { Client } from '@svc/sdk'

/** Saves the conversation as a file of this computer. */
export async function exportTranscript(
  client: Client,
  project_id: string,
  session_id: string,
): Promise<void> {
  const transcript = await client.projects.sessions.transcript(project_id, session_id)
  const blob = new Blob([JSON.stringify(transcript, null, 2)], { type: 'application/json' })
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = `session-${session_id.slice(0, 8)}.json`
  link.click()
  URL.revokeObjectURL(url)
}
