export function SearchView() { return null; }
