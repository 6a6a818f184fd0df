import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { skipsChromium } from '../../../api/tests/support/chromium.ts'
import { testAccount } from './account.ts'
import { testAgent } from './agent.ts'
import { testAccessibility } from './accessibility.ts'
import { testBudget } from './budget.ts'
import { testChanges } from './changes.ts'
import { testComputer } from './computer.ts'
import { testConnectors } from './connectors.ts'
import { testConversation } from './conversation.ts'
import { testDirectory } from './directory.ts'
import { testEvents } from './events.ts'
import { testIcon } from './icon.ts'
import { testModels } from './models.ts'
import { testMoney } from './money.ts'
import { testNotifications } from './notifications.ts'
import { testOperator } from './operator.ts'
import { testPerson } from './person.ts'
import { testRepository } from './repository.ts'
import { testReview } from './review.ts'
import { testRoles } from './roles.ts'
import { testSubAgents } from './sub-agents.ts'
import { testToken, testTokenEnd } from './tokens.ts'
import { testHostile } from './visits/hostile.ts'
import { close, minted, platform, start, watched } from './world.ts'

describe.skipIf(skipsChromium)('the dashboard in a browser', () => {
  // One platform and one browser for all of it: each part begins on the page where the one before it ended.
  beforeAll(start)
  afterAll(close)

  testToken()
  testChanges()
  testConversation()
  testModels()
  testOperator()
  testRepository()
  testReview()
  testRoles()
  testIcon()
  testEvents()
  testNotifications()
  testConnectors()
  testComputer()
  testAgent()
  testAccount()
  testDirectory()
  testMoney()
  testSubAgents()
  testHostile()
  testAccessibility()
  testBudget()
  testTokenEnd()
  testPerson()

  test('no request left the origin, and nothing complained but of what was refused', () => {
    // An icon with a number is made in the page, and read from there.
    const own = [`${platform.origin}/`, `blob:${platform.origin}/`]
    expect(watched.requests.filter((url) => !own.some((start) => url.startsWith(start)))).toEqual([])
    expect(watched.requests.filter((url) => url.includes(minted.token))).toEqual([])
    // Beside the refusals, one by an agent among them, a session that waited and an answer that was lost: the requests that the page gave up when
    // the person went elsewhere, such as an event stream.
    const expected =
      /status of (401|402|403|404|409)|net::ERR_ABORTED$|prompts net::ERR_FAILED$|: net::ERR_FAILED$|status of 400 .*\/event-subscriptions$|status of 400 .*\/runtime$|status of 400 .*\/keys$|status of 422 .*\/sso$/
    expect(watched.complaints.filter((text) => text.endsWith('prompts net::ERR_FAILED'))).toHaveLength(1)
    expect(watched.complaints.filter((text) => !expected.test(text))).toEqual([])
    expect(watched.complaints.filter((text) => /status of 409 .*\/merge$/.test(text))).toHaveLength(1)
  })
})
