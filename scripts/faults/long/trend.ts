/** The slope of `y` over `x` by least squares. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const meanX = mean(points.map(([x]) => x));
  const meanY = mean(points.map(([, y]) => y));
  const above = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const below = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return below === 0 ? 0 : above / below;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The largest value of the third quarter and that of the last one. */
export function lateMaxima(values: readonly number[]): readonly [third: number, last: number] {
  const half = Math.floor(values.length / 2);
  const threeQuarters = Math.floor((values.length * 3) / 4);
  return [Math.max(...values.slice(half, threeQuarters)), Math.max(...values.slice(threeQuarters))];
}
