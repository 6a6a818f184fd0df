import type { LicenceText } from './licences.ts'

/** The licence of the package that Claude's adapter drives; its terms are behind the address that it names. */
const claudeAgentSdk: LicenceText = {
  package: '@anthropic-ai/claude-agent-sdk',
  spdx: 'proprietary',
  url: 'https://code.claude.com/docs/en/legal-and-compliance',
  sha256: '8ce94b9478bb9868f9641f818e06cd722fbe55d4c22e2d2ed11971b20146173a',
  text: '© Anthropic PBC. All rights reserved. Use is subject to the Legal Agreements outlined here: https://code.claude.com/docs/en/legal-and-compliance.\n',
}

/** By harness and version: an install is held to these hashes, and a new version is a new line. */
const texts: Readonly<Record<string, readonly LicenceText[]>> = {
  'claude 0.49.0': [claudeAgentSdk],
  'claude 0.101.0': [claudeAgentSdk],
}

/** The texts that have to be accepted before this version of a harness starts. */
export function licencesOf(harness: string, version: string | null): readonly LicenceText[] {
  return texts[`${harness} ${version}`] ?? []
}
