/** Reports as plain data for other programs. The lines of a batch are fixed by DESIGN section 14; the rest follows them. */
import type { Span } from '../ir/span.js';
import type { CallDecision, ClassRow, DescribedEffect, PairReport, Reason } from '../compatibility/verdict.js';

export interface EffectForm {
  readonly operation: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly when: string;
  readonly context: readonly string[];
  readonly file?: string;
  readonly line?: number;
}

export interface ReasonForm {
  readonly code: string;
  readonly message: string;
  readonly side: string;
  readonly file?: string;
  readonly line?: number;
  /** Place on the other side that it was compared with. */
  readonly otherFile?: string;
  readonly otherLine?: number;
  readonly next?: string;
}

export interface DecisionForm {
  readonly verdict: string;
  readonly sourceEffects: readonly EffectForm[];
  readonly targetEffects: readonly EffectForm[];
  readonly reasons: readonly ReasonForm[];
}

export function decisionForm(decision: CallDecision): DecisionForm {
  return {
    verdict: decision.verdict,
    sourceEffects: decision.sourceEffects.map(effectForm),
    targetEffects: decision.targetEffects.map(effectForm),
    reasons: decision.reasons.map(reasonForm),
  };
}

export function effectForm({ operation, dimensions, when, context, span }: DescribedEffect): EffectForm {
  return { operation, dimensions, when, context, ...place(span) };
}

export function reasonForm({ code, message, side, span, otherSpan, next }: Reason): ReasonForm {
  const other = place(otherSpan);
  return {
    code,
    message,
    side,
    ...place(span),
    ...(other.file === undefined ? {} : { otherFile: other.file }),
    ...(other.line === undefined ? {} : { otherLine: other.line }),
    ...(next === undefined ? {} : { next }),
  };
}

export function reportForm(report: PairReport): object {
  const { verdict, classes, classesNote, equalWhen, containedWhen, equalInputs, sourceInputs, targetInputs, availability, reasons } = report;
  return {
    verdict,
    classes: classes.map((row: ClassRow) => ({ condition: row.condition, ...decisionForm(row) })),
    ...(classesNote === undefined ? {} : { classesNote }),
    equalWhen,
    containedWhen,
    equalInputs,
    sourceInputs,
    targetInputs,
    availability,
    reasons: reasons.map(reasonForm),
  };
}

function place(span: Span | undefined): { readonly file?: string; readonly line?: number } {
  return span === undefined ? {} : { file: span.file, line: span.line };
}
