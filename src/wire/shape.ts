import type { Frame } from './frame.ts';
import { JsonTextError } from './json-error.ts';
import { lastMember, stringOfToken, typeOfByte } from './lens.ts';
import { MAX_PARTS } from './scanning/limits.ts';
import type { Member, Span } from './scanning/outline.ts';

/** The places of certain strings in a JSON value. Members that a shape does not name are passed over. */
export type Shape =
  /** The value itself, if it is a string. */
  | 'string'
  /** In members of an object, by key. */
  | { readonly members: Readonly<Record<string, Shape>> }
  /** In each element of an array; a value that is no array counts as one element. */
  | { readonly each: Shape }
  /** In the value of each member of an object. */
  | { readonly values: Shape }
  /** In an object, by the value of its member `type`. */
  | { readonly byType: Readonly<Record<string, Shape>> }
  /** In all of these ways. */
  | { readonly all: readonly Shape[] };

/** The number of elements from which on the pieces of a large frame are joined. */
const WORTH_JOINING = 64;

/**
 * Returns the spans of the strings in `span` at the places that a shape names, in order. Of members with one key each counts,
 * because readers differ in which one they keep.
 * @throws JsonTextError when the span does not hold JSON, or has more than `MAX_PARTS` elements in one array or such strings.
 */
export function stringsAt(frame: Frame, span: Span, shape: Shape): readonly Span[] {
  const found: Span[] = [];
  collect(frame, span, shape, found);
  return found.sort((a, b) => a.start - b.start);
}

function collect(frame: Frame, span: Span, shape: Shape, found: Span[]): void {
  const type = typeOfByte(frame.byteAt(span.start));
  if (shape === 'string') {
    if (type !== 'string') return;
    if (found.length === MAX_PARTS) throw new JsonTextError(`more than ${MAX_PARTS} uris or the like`, span.start);
    found.push(span);
  } else if ('each' in shape) {
    const elements = type === 'array' ? frame.elementsOf(span) : [span];
    // Each element is looked for from the first piece on.
    if (elements.length > WORTH_JOINING) void frame.text;
    for (const element of elements) collect(frame, element, shape.each, found);
  } else if ('all' in shape) {
    for (const one of shape.all) collect(frame, span, one, found);
  } else if (type === 'object') {
    collectFromMembers(frame, span, shape, found);
  }
}

type ObjectShape = Extract<
  Shape,
  { readonly members: unknown } | { readonly values: unknown } | { readonly byType: unknown }
>;

function collectFromMembers(frame: Frame, span: Span, shape: ObjectShape, found: Span[]): void {
  const members = frame.membersOf(span);
  if ('byType' in shape) {
    const inner = ofType(frame, members, shape.byType);
    if (inner !== undefined) collect(frame, span, inner, found);
    return;
  }
  for (const member of members) {
    const inner = 'values' in shape ? shape.values : ownValue(shape.members, member.key);
    if (inner !== undefined) collect(frame, member, inner, found);
  }
}

function ofType(frame: Frame, members: readonly Member[], shapes: Readonly<Record<string, Shape>>): Shape | undefined {
  const type = lastMember(members, 'type');
  const name = type === undefined ? undefined : stringOfToken(frame.raw(type));
  return name === undefined ? undefined : ownValue(shapes, name);
}

/** Keys come from peers, and may be those of every object's prototype. */
function ownValue(shapes: Readonly<Record<string, Shape>>, key: string): Shape | undefined {
  return Object.hasOwn(shapes, key) ? shapes[key] : undefined;
}
