// Starts the urls of a host, one after the other, each when everything that has to come before it is done:
//
//   host down? -> in scope? -> address known -> rules known -> delay over -> request -> read -> report

import type { Clock } from '../../lib/clock.ts'
import type { FoundUrl, LeasedUrl, VisitReport } from '../../ports/frontier.ts'
import type { FetchLimits, PageLimits } from '../fetch/limits.ts'
import type { Fetcher, FetchResult } from '../fetch/result.ts'
import { downReason, isRefusal } from '../politeness/health.ts'
import { Throttle, type ThrottleSettings } from '../politeness/throttle.ts'
import type { Permit, RobotsGate } from '../robots/gate.ts'
import type { Scope } from '../url/scope.ts'
import type { DocumentQueue } from './document-queue.ts'
import { healthNews, isLongRefusal } from './host-news.ts'
import type { Asked, HostWork, Taken } from './host-work.ts'
import type { Journal } from './journal.ts'
import type { Kept } from './keep.ts'
import type { Outbox } from './outbox.ts'
import type { Look } from './phases.ts'
import { Reading, type ReadingParts } from './reading.ts'
import { RefusalHistory } from './refusal-history.ts'
import { HostStats } from './stats.ts'
import { backoffMs } from './verdict.ts'
import { reportDeferred, reportDenied, reportDown, reportExcluded, reportPutOff, reportStalled } from './visit.ts'
import type { Works } from './works.ts'

interface AskedUrl extends Asked {
  url: LeasedUrl
  /** Whether the host answers again is tried with it. */
  isTrial: boolean
}

type Denial = Extract<Permit, { kind: 'denied' | 'unreachable' }>

/** A url, and what came of asking for it; null when it was not. */
interface Told {
  url: LeasedUrl
  host: string
  result: FetchResult | null
}

/** Of the time after which a url is tried again that an overloaded host refused. */
const MAX_DOUBLINGS = 3
/** Enough for the store to see that there is a gap to keep. */
const UNKNOWN_DELAY_MS = 1

export interface LaunchSettings extends ThrottleSettings {
  /** Requests under way at a time, over all hosts. */
  concurrency: number
  /** Read the sitemaps that robots.txt names. */
  sitemaps: boolean
}

export interface LaunchParts extends ReadingParts {
  fetcher: Fetcher
  gate: RobotsGate
  /** Null when there are no patterns. They may have changed since the url was found; those to include are not for seeds. */
  scope: { pages: Scope; seeds: Scope } | null
  limits: { pages: PageLimits; sitemap: FetchLimits }
  clock: Clock
  journal: Journal
}

export interface LaunchEvents {
  /** Something has ended: there may be room for more, of this host or of all when it is null. */
  onRoom(work: HostWork | null): void
  onFailed(error: unknown): void
  /** Nothing more shall start. */
  isEnding(): boolean
}

export class Launch {
  readonly stats = new HostStats()
  readonly throttle: Throttle
  readonly #settings: LaunchSettings
  readonly #parts: LaunchParts
  readonly #works: Works
  readonly #outbox: Outbox
  readonly #events: LaunchEvents
  readonly #reading: Reading
  readonly #refusals = new RefusalHistory()
  #inFlight = 0
  /** Answers that have come and are not reported yet, but for documents that the readers have. */
  #unread = 0
  /** Documents that the readers have. */
  #aside = 0
  /**
   * Urls whose reading has cost a lease, with their attempts before it. It is reported under the next lease, and again
   * under every other until it shows in the attempts: a report may be lost with its lease, too.
   */
  readonly #stalled = new Map<number, number>()
  #isOver = false

  constructor(
    settings: LaunchSettings,
    parts: LaunchParts,
    hands: { works: Works; outbox: Outbox },
    events: LaunchEvents,
  ) {
    this.#settings = settings
    this.#parts = parts
    this.#works = hands.works
    this.#outbox = hands.outbox
    this.#events = events
    this.#reading = new Reading(parts, (error, { url, host }) => {
      parts.journal.pageNotRead(url, host, error)
      events.onFailed(error)
    })
    this.throttle = new Throttle(settings)
  }

  get inFlight(): number {
    return this.#inFlight
  }

  get isIdle(): boolean {
    return this.#inFlight === 0 && this.#unread === 0 && this.#aside === 0
  }

  /** What the slots that are taken are busy with. */
  taken(): Look['taken'] {
    const { dns, connect } = this.#parts.fetcher.unsent()
    return { dns, connect, origin: Math.max(0, this.#inFlight - dns - connect), parse: this.#unread }
  }

  get hasRoom(): boolean {
    return !this.#isOver && this.#inFlight + this.#unread < this.#settings.concurrency && !this.#outbox.isFull
  }

  get #documents(): DocumentQueue {
    return this.#parts.page.documentQueue
  }

  startAll(work: HostWork, now: number): void {
    while (this.hasRoom && work.canStart(now) && this.throttle.nextAt <= now) {
      if (!this.throttle.hasRoom(work.address)) return
      this.#start(work, now)
    }
  }

  /** The leases were renewed. */
  forgetStepsBefore(time: number): void {
    this.#reading.forgetStepsBefore(time)
  }

  /** Leases are lost, and the thread was busy with a page for long enough to be the cause of it. */
  blameLongStep(minMs: number): void {
    const step = this.#reading.longestStep
    if (step !== null && step.tookMs >= minMs) this.#stalled.set(step.url.id, step.url.attempts)
    this.#reading.forgetStepsBefore(Number.POSITIVE_INFINITY)
  }

  /** The leases are lost: what has been read and not told is forgotten. */
  startOver(): void {
    this.#reading.clear()
    this.#unread = 0
    this.#aside = 0
  }

  /** Gives up documents that are not read: they go back with their leases, to be fetched and read later. */
  dropDocuments(): void {
    this.#reading.dropAside()
  }

  /** Nothing more is started, and what comes of requests under way no longer counts: they may end because of the end. */
  close(): void {
    this.#isOver = true
    this.startOver()
  }

  /** Starts the next url, or what has to come before it, or reports why it may not start. */
  #start(work: HostWork, now: number): void {
    const url = work.next
    if (url === undefined) return
    const leased = { token: work.lease.token, url }
    if (this.#owesStall(url)) return this.#drop(work, url, this.#reportStall(leased, now))
    if (work.isDown(now)) return this.#drop(work, url, reportDown(leased, downReason(work.health)))
    const outside = this.#outsideOf(url, work.lease.host)
    if (outside !== null) return this.#drop(work, url, reportExcluded(leased, outside))
    if (work.address === null && !work.isAddressSought) return this.#seekAddress(work, url)
    const permit = this.#parts.gate.judge(url.url)
    switch (permit.kind) {
      case 'unknown':
        return this.#recallRules(work, url)
      case 'unlearnt':
        return this.#learnRules(work, url)
      case 'denied':
      case 'unreachable':
        return this.#deny(work, url, permit, now)
      case 'allowed':
        work.heedDelay(permit.crawlDelayMs)
        if (this.#documents.isDocument(url) && !this.#documents.mayStart()) {
          return this.#drop(work, url, reportPutOff(leased, this.#parts))
        }
        if (work.nextAt <= now) this.#request(work, url)
    }
  }

  #owesStall({ id, attempts }: LeasedUrl): boolean {
    const before = this.#stalled.get(id)
    if (before !== undefined && before !== attempts) this.#stalled.delete(id)
    return before === attempts
  }

  #reportStall({ token, url }: { token: number; url: LeasedUrl }, now: number): VisitReport {
    const { id: urlId, attempts } = url
    return reportStalled({ token, urlId, attempts }, this.#parts.policy.retryDelayMs, now)
  }

  /** Sitemaps may live anywhere. */
  #outsideOf({ url, kind, depth }: LeasedUrl, host: string): string | null {
    const { scope } = this.#parts
    if (scope === null || kind === 'sitemap') return null
    return (depth === 0 ? scope.seeds : scope.pages).judge(url, host)
  }

  /** Reports the next url of the hand, which needs no request. */
  #drop(work: HostWork, url: LeasedUrl, report: VisitReport): void {
    this.#works.takeFrom(work)
    this.#report({ url, host: work.lease.host, result: null }, report)
  }

  #report({ url, host, result }: Told, report: VisitReport, kept: Kept | null = null): void {
    this.#outbox.addVisit(report, kept)
    this.#parts.journal.visit(url, host, report, result)
  }

  #deny(work: HostWork, url: LeasedUrl, permit: Denial, now: number): void {
    // Rules that nobody knows yet may want a delay: until then the host is for one worker alone.
    if (permit.kind === 'unreachable') work.heedDelay(UNKNOWN_DELAY_MS)
    this.#drop(work, url, reportDenied({ token: work.lease.token, url }, permit, this.#parts, now))
  }

  /** Which server it is must be known before the first request, for others may be at work there. */
  #seekAddress(work: HostWork, url: LeasedUrl): void {
    const { fetcher } = this.#parts
    work.isAddressSought = true
    work.address = fetcher.addressOf(url.url)
    if (work.address !== null || this.#settings.perIp >= this.#settings.concurrency) return
    work.isWaiting = true
    fetcher.findAddress(url.url, (address) => {
      work.isWaiting = false
      work.address = address
      this.#events.onRoom(null)
    })
  }

  /** Rules may be in the store; looking there is no request. */
  #recallRules(work: HostWork, url: LeasedUrl): void {
    work.isWaiting = true
    this.#parts.gate.recall(url.url).then(
      () => this.#heedRules(work, url),
      (error: unknown) => this.#events.onFailed(error),
    )
  }

  /** Fetches robots.txt in place of a url: it takes a slot and keeps the gap like any request. */
  #learnRules(work: HostWork, url: LeasedUrl): void {
    work.isWaiting = true
    const { end, ...asked } = this.#begin(work, url)
    this.#parts.gate.learn(url.url, work.gapMs).then(
      (result) => {
        end()
        if (this.#isOver) return
        this.#take(work, { ...asked, attempts: 0, deferrals: 0 }, result)
        this.#heedRules(work, url)
      },
      (error: unknown) => this.#events.onFailed(error),
    )
  }

  /** Urls that the rules keep us from need no request, so they do not wait for the gap. */
  #heedRules(work: HostWork, learntFor: LeasedUrl): void {
    work.isWaiting = false
    if (this.#isOver) return
    if (work.isFenced) return this.#letGo(work)
    if (!this.#events.isEnding()) {
      const now = this.#parts.clock.now()
      if (this.#settings.sitemaps) this.#outbox.addFound(this.#sitemapsOf(learntFor.url))
      for (let url = work.next; url !== undefined; url = work.next) {
        const permit = this.#parts.gate.judge(url.url)
        if (permit.kind !== 'denied' && permit.kind !== 'unreachable') break
        this.#deny(work, url, permit, now)
      }
    }
    this.#events.onRoom(null)
  }

  /** A host whose lease was lost goes back when its last request is over. */
  #letGo(work: HostWork): void {
    if (work.inFlight === 0) this.#outbox.addRelease(work)
    this.#events.onRoom(null)
  }

  #sitemapsOf(url: string): FoundUrl[] {
    const { gate, admit } = this.#parts
    return gate.takeSitemaps(url).flatMap((sitemap) => admit.sitemap(sitemap, url) ?? [])
  }

  /** Answers when the request begins, and what to call when it is over. */
  #begin(work: HostWork, url: LeasedUrl): Pick<Asked, 'startedAt' | 'atOnce'> & { end: () => void } {
    const address = work.address ?? this.#parts.fetcher.addressOf(url.url)
    work.address = address
    // Not when the round began in which it is started: others came before it, and its gap would be shorter by that.
    const startedAt = this.#parts.clock.now()
    work.begin(startedAt)
    this.#inFlight += 1
    this.throttle.begin(address, startedAt)
    const end = () => {
      this.#inFlight -= 1
      this.throttle.end(address)
    }
    return { startedAt, atOnce: work.inFlight, end }
  }

  #request(work: HostWork, url: LeasedUrl): void {
    this.#works.takeFrom(work)
    const { end, ...begun } = this.#begin(work, url)
    const { startedAt } = begun
    this.#outbox.tally.queue.add(Math.max(0, startedAt - url.dueAt))
    // A host that has stopped answering is tried with a url, which shall not pay for it.
    const isTrial = work.isSetAside && work.hasAnswered
    const { limits, fetcher } = this.#parts
    const isDocument = this.#documents.isDocument(url)
    if (isDocument) this.#documents.begin()
    fetcher.fetch(
      url.url,
      (result) => {
        end()
        if (isDocument) this.#documents.end()
        if (this.#isOver) return
        const tries = { attempts: url.attempts, deferrals: this.#refusals.deferralsOf(url.id) }
        this.#finish(work, { ...begun, ...tries, url, isTrial }, result)
      },
      url.kind === 'sitemap' ? limits.sitemap : limits.pages.for(work.expect(url.url)),
      work,
    )
  }

  /** An answer, as the host sees it. */
  #take(work: HostWork, asked: Asked, result: FetchResult): Taken {
    const now = this.#parts.clock.now()
    const { health: before, nextAt: dueAt } = work
    const taken = work.finish(result, now, asked, this.#refusals.hasPaused(work.lease.hostId))
    if (taken.hasHint) this.#refusals.addPause(work.lease.hostId)
    if (work.hasToGoBack) this.#works.dropHand(work)
    const { health: after, nextAt, lease } = work
    const isPause = isRefusal(taken.reception) && isLongRefusal(result, { dueAt, nextAt, now })
    const news = healthNews(before, after, now) ?? (isPause ? 'refuses' : null)
    if (news !== null) {
      this.#parts.journal.hostChanged({ host: lease.host, news, before, after, result, nextAt, now })
    }
    return taken
  }

  /** On its own time, and after others, so that more than one url is tried while the host refuses all. */
  #deferUntil(work: HostWork, { deferrals }: AskedUrl, now: number): number {
    const { policy, random } = this.#parts
    const doublings = Math.min(deferrals, MAX_DOUBLINGS)
    return Math.max(now, work.nextAt) + backoffMs(policy, { attempts: doublings, luck: random() })
  }

  #finish(work: HostWork, asked: AskedUrl, result: FetchResult): void {
    const { url, startedAt, isTrial } = asked
    const now = this.#parts.clock.now()
    const wasMute = work.isMute(now)
    const { reception, isOverload } = this.#take(work, asked, result)
    if (work.isFenced) return this.#letGo(work)
    this.stats.record(work.lease.host, result)
    const { tally } = this.#outbox
    if (result.kind === 'response') tally.fetch.add(result.ttfbMs)
    this.#outbox.addBytes(result.wireBytes)
    const { token, host } = work.lease
    const isSilent = reception === 'silent' || reception === 'timed_out'
    if (isOverload || (isTrial && isSilent)) {
      if (isOverload) this.#refusals.addDeferral(url.id)
      const reason = downReason(work.health)
      const report = work.isDown(now)
        ? reportDown({ token, url }, reason)
        : reportDeferred({ token, url }, reason, isOverload ? this.#deferUntil(work, asked, now) : work.nextAt)
      this.#report({ url, host, result }, report)
      return this.#events.onRoom(work)
    }
    work.reading += 1
    this.#unread += 1
    // What is recorded is the end, and how long it took: from these the start must come out as it was.
    const endedAt = startedAt + result.fetchMs
    const visit = { token, url, host, result, now: endedAt }
    this.#reading.read(visit, {
      onDone: ({ report, kept }) => {
        work.reading -= 1
        this.#unread -= 1
        tally.processing.add(this.#parts.clock.now() - now)
        this.#report({ url, host, result }, report, kept)
        this.#events.onRoom(work)
      },
      onAside: (isAside) => {
        const change = isAside ? 1 : -1
        work.documents += change
        this.#aside += change
        this.#unread -= change
        if (isAside) this.#events.onRoom(work)
      },
      onDropped: () => {
        work.reading -= 1
        work.documents -= 1
        this.#aside -= 1
      },
    })
    // It may be asked again, also before what it said is read.
    if (wasMute) this.#events.onRoom(null)
  }
}
