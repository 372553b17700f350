/**
 * One concrete call for a terminal: the verdict, what each release does with it with the lines that do it, and why.
 * Explained, it shows the lines around each place as well.
 */
import { unreachable } from '../base/errors.js';
import type { Doings } from '../compatibility/doings.js';
import type { CallStory } from '../compatibility/story.js';
import type { CallDecision, Reason, Side } from '../compatibility/verdict.js';
import type { Span } from '../ir/span.js';
import type { Quotes } from '../pipeline/quotes.js';
import type { Vocabulary } from '../pipeline/vocabulary.js';
import { quoteLines } from './places-text.js';
import { quoteSpan, reasonPlaces } from './quotes.js';
import { mainDeeds } from './row-text.js';
import { Speaker } from './speaker.js';
import { indented, paint, printable, type Style } from './style.js';
import { callSentence, operationLegend, verdictPaint } from './words.js';

export interface DecisionView {
  readonly tool: string;
  readonly source: string;
  readonly target: string;
  readonly decision: CallDecision;
  readonly story: CallStory;
  /** Settled by equal files, inputs and dependencies. */
  readonly byDefinition: boolean;
  readonly vocabulary: Vocabulary;
  readonly quotes: Quotes;
  /** With the lines around each place. */
  readonly explain: boolean;
}

/** Lines before and after one that is explained. */
const AROUND = 2;

export function decisionText(style: Style, view: DecisionView): string {
  const { decision, story, vocabulary } = view;
  const speaker = new Speaker(vocabulary);
  const provided = speaker.facts(story.provided);
  const parts = [
    `${paint(style, 'bold', view.tool)}  ${paint(style, verdictPaint(decision.verdict), decision.verdict)}: ${callSentence(decision.verdict)}`,
    ...(provided === '' ? [] : [indented(style, 2, `Provided that ${provided}:`)]),
    sideText(style, view, speaker, 'source'),
    sideText(style, view, speaker, 'target'),
  ];
  if (view.byDefinition) parts.push(indented(style, 2, 'Both releases have the same files, inputs and dependencies.'));
  const why = decision.reasons.flatMap((reason) => whyLines(style, view, speaker, reason));
  if (why.length > 0) parts.push(`  ${paint(style, 'bold', 'Why')}\n${[...new Set(why)].join('\n')}`);
  const used = new Set([...story.source.deeds, ...story.target.deeds].map((deed) => deed.operation));
  return [...parts, ...(view.explain ? operationLegend(style, used, vocabulary) : [])].join('\n\n');
}

function sideText(style: Style, view: DecisionView, speaker: Speaker, side: Side): string {
  const doings = view.story[side];
  const title = `  ${paint(style, 'bold', side)}  ${paint(style, 'dim', side === 'source' ? view.source : view.target)}`;
  const deeds = mainDeeds(doings).map((deed) => {
    const when = speaker.condition(deed.when);
    return [indented(style, 4, `${speaker.deed(deed, new Set())}${deed.protective ? ' [protects]' : ''}${when === undefined ? '' : `, where ${when}`}`, '- '), ...placeText(style, view, side, deed.span)].join('\n');
  });
  return [title, ...(deeds.length === 0 ? [noDeeds(style, view, side, doings)] : deeds)].join('\n');
}

function noDeeds(style: Style, view: DecisionView, side: Side, doings: Doings): string {
  const [place] = doings.refusedAt;
  if (doings.refuses !== 'always') return indented(style, 4, 'has no effect', '- ');
  return [indented(style, 4, 'refuses', '- '), ...placeText(style, view, side, place)].join('\n');
}

function placeText(style: Style, view: DecisionView, side: Side, span: Span | undefined): readonly string[] {
  if (span === undefined) return [];
  const place = quoteSpan(view.quotes, side, span);
  if (!view.explain) return quoteLines(style, [place], 6, true);
  const lines: string[] = [`      ${paint(style, 'dim', `${span.file}:${String(span.line)}`)}`];
  for (let line = Math.max(1, span.line - AROUND); line <= span.line + AROUND; line += 1) {
    const text = view.quotes.line(side, span.file, line);
    if (text === undefined) continue;
    const mark = line === span.line ? paint(style, 'bold', '>') : ' ';
    lines.push(`      ${mark} ${paint(style, 'dim', String(line).padStart(4))}  ${printable(text)}`.trimEnd());
  }
  return lines;
}

/** What the effects of both sides do not say already. */
function whyLines(style: Style, view: DecisionView, speaker: Speaker, reason: Reason): readonly string[] {
  const say = (text: string): readonly string[] => [indented(style, 2, `${text} [${reason.code}]`, `${paint(style, verdictPaint(view.decision.verdict), '•')} `)];
  const { detail } = reason;
  switch (detail?.kind) {
    case 'effect':
      return say(effectReason(reason, speaker.deed(detail.deed, new Set(detail.deed.dimensions.map((dimension) => dimension.name)))));
    case 'dimensions':
      return say(detail.differing.map(({ name, source, target }) => `${printable(name)} is ${speaker.value(source)} in the source and ${speaker.value(target)} in the target`).join('; '));
    case 'disclosure':
      return say(`${reason.code === 'disclosure-dropped' ? 'only the source' : 'only the target'} tells ${detail.channel === 'caller' ? 'the caller' : printable(detail.channel)} of ${speaker.told(detail.told)}`);
    case undefined:
      return [
        ...say(printable(worldOrMessage(reason, speaker))),
        ...quoteLines(style, reasonPlaces(view.quotes, reason), 4),
        ...(reason.next === undefined ? [] : [indented(style, 4, reason.next, 'next: ')]),
      ];
    default:
      return unreachable(detail);
  }
}

function worldOrMessage(reason: Reason, speaker: Speaker): string {
  if (reason.turnsOn === undefined) return reason.message;
  const words = speaker.facts(reason.turnsOn);
  const declaration = speaker.declaration(reason.turnsOn);
  return `the target does more where ${words}${declaration === undefined ? '' : `; declare it with ${declaration}`}`;
}

function effectReason({ code, message }: Reason, deed: string): string {
  if (code === 'effect-added') return `only the target ${deed}`;
  if (code === 'effect-dropped') return `only the source ${deed}`;
  if (code === 'condition-widened') return `the target ${deed} in more calls`;
  return code === 'protection-dropped' || code === 'dependency-dropped' ? `the target leaves out: ${deed}` : printable(message);
}
