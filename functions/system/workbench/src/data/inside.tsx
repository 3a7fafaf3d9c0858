export function InsideView() { return null; }
