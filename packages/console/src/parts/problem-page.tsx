// What stands in place of a page or a section that could not be loaded: what happened, what to do, and
// code and trace for support. One place for every refusal, so that all pages say the same.
/** @jsxImportSource preact */
import { Button, type IconName, StatePage, type SupportFact, SupportFold } from '@chartside/ui'
import { formatMoment } from '@chartside/ui/times'
import { ApiProblem, type Problem } from '../api/problem.ts'
import { ContactAdministrator } from './contact-administrator.tsx'
import { copyText } from './copy-text.ts'

interface Words {
  readonly icon: IconName
  readonly title: string
  readonly text: string
}

/** Returns the words of a problem; `what` is as in “the members”. */
function wordsOf(problem: Problem, what: string): Words {
  if (!(problem instanceof ApiProblem)) {
    return {
      icon: 'offline',
      title: 'No connection',
      text: 'The service cannot be reached. Check the network; nothing that you saved is lost.',
    }
  }
  switch (problem.code) {
    case 'not_found':
      return {
        icon: 'search',
        title: 'Not found',
        text: `There is no such page, or you may not see ${what}. Ask an administrator of the account whether you should.`,
      }
    case 'not_allowed':
      return {
        icon: 'person',
        title: 'Your role does not allow this',
        text: problem.message,
      }
    case 'region_not_allowed':
      return {
        icon: 'flag',
        title: 'Not available from here',
        text: 'Your network is in a country from which this service does not answer. Use another network, or ask the operator to allow yours.',
      }
    case 'rate_limited':
      return {
        icon: 'clock',
        title: 'Too many requests',
        text: `${problem.message} ${wait(problem)}`,
      }
    case 'temporarily_unavailable':
      return {
        icon: 'alert',
        title: 'The service is busy',
        text: `It cannot load ${what} now. Nothing is lost. ${wait(problem)}`,
      }
    default:
      return { icon: 'alert', title: `Could not load ${what}`, text: problem.message }
  }
}

export const isRoleProblem = (problem: Problem): boolean =>
  problem instanceof ApiProblem && problem.code === 'not_allowed'

const wait = ({ retryAfter }: ApiProblem) =>
  retryAfter === undefined ? 'Try again in a moment.' : `Try again in ${retryAfter} s.`

export interface ProblemPageProps {
  readonly problem: Problem
  readonly what: string
  readonly onRetry?: (() => void) | undefined
}

export function ProblemPage({ problem, what, onRetry }: ProblemPageProps) {
  const { icon, title, text } = wordsOf(problem, what)
  const facts = factsOf(problem)
  return (
    <div class="problem-page">
      <StatePage
        icon={icon}
        tone="bad"
        title={title}
        actions={onRetry && <Button onPress={onRetry}>Try again</Button>}
        support={facts.length > 0 && <SupportFold facts={facts} copy={copyText} />}
      >
        <p class="quiet">{text}</p>
        {isRoleProblem(problem) && (
          <p class="quiet">
            <ContactAdministrator />
          </p>
        )}
      </StatePage>
    </div>
  )
}

export function factsOf(problem: Problem): readonly SupportFact[] {
  if (!(problem instanceof ApiProblem)) return []
  const now = Date.now()
  return [
    { name: 'Code', value: problem.code || String(problem.status) },
    ...(problem.code === 'region_not_allowed' ? [{ name: 'Cause', value: problem.message }] : []),
    ...(problem.traceId ? [{ name: 'Trace', value: problem.traceId }] : []),
    { name: 'Page', value: location.pathname },
    { name: 'Time', value: formatMoment(now, now) },
  ]
}
