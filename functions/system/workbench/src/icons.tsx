// The pictures of buttons: 20 units wide, drawn with the colour of the text.
const paths = {
  ask: "M4 4.5h12v8.500H9l-3.500 3v-3H4z",
  library: "M4 3.500h3v13H4zM8.500 3.500h3v13h-3zM13 4.200l2.600-.6 2.400 12.600-2.600.5z",
  search: "M9 3.500a5.500 5.500 0 1 1 0 11 5.500 5.500 0 0 1 0-11zM13 13l4 4",
  table: "M3.500 4h13v12h-13zM3.500 8h13M3.500 12h13M8.500 8v8",
  review: "M4 4.500h7M4 8.500h5M4 12.500h4M10.500 13l2.500 2.500 4.500-6",
  inside: "M3 10.500h3l2-5.500 3.500 10 2-4.500H17",
  send: "M10 16V4.500M5 9.500l5-5 5 5",
  stop: "M6 6h8v8H6z",
  again: "M15.500 8A6 6 0 1 0 16 11.500M16 4v4.200h-4.200",
  edit: "M4 16l.7-3.300L13.500 4 16 6.500 7.300 15.300z",
  copy: "M7 7h9v9H7zM4 13V4h9",
  link: "M8.500 11.500l3-3M9 6.500l1.500-1.500a3.200 3.200 0 0 1 4.500 4.500L13.500 11M11 13.500 9.500 15A3.200 3.200 0 0 1 5 10.500L6.500 9",
  close: "M5 5l10 10M15 5L5 15",
  trash: "M4 6h12M8 6V4h4v2M5.500 6l.7 10.500h7.600L14.500 6",
  download: "M10 3.500v9M6 9l4 4 4-4M4 16.500h12",
  upload: "M10 13V4M6 7.500l4-4 4 4M4 16.500h12",
  folder: "M3 5h5l1.500 2H17v9H3z",
  file: "M5 3h6.500L15 6.500V17H5zM11 3v4h4",
  paste: "M6 5H4.500v12h11V5H14M7 3.500h6v3H7z",
  check: "M4.500 10.500l3.500 3.500 7.500-8",
  warn: "M10 3.500 17.500 16.500h-15zM10 8.500v4M10 14.200v.6",
  down: "M5.500 8l4.500 4.500L14.500 8",
  left: "M12 5l-5 5 5 5",
  right: "M8 5l5 5-5 5",
  plus: "M10 4v12M4 10h12",
  sun: "M10 6.500a3.500 3.500 0 1 1 0 7 3.500 3.500 0 0 1 0-7zM10 2v2M10 16v2M2 10h2M16 10h2M4.300 4.300l1.500 1.500M14.200 14.200l1.500 1.500M4.300 15.700l1.500-1.500M14.200 5.800l1.500-1.500",
  moon: "M15.500 12A6.500 6.500 0 0 1 8 4.500a6.200 6.200 0 1 0 7.500 7.500z",
  key: "M7.500 6.500a3.500 3.500 0 1 1 0 7 3.500 3.500 0 0 1 0-7zM11 10h6.500v2.500M14.500 10v2",
  menu: "M3.500 6h13M3.500 10h13M3.500 14h13",
  book: "M10 5.500C8.500 4 6 3.500 3 3.500v11c3 0 5.500.5 7 2 1.500-1.500 4-2 7-2v-11c-3 0-5.500.5-7 2zM10 5.500v11",
  chart: "M3.500 16.500h13M5 14V9h2.500v5zM9 14V4.500h2.500V14zM13 14v-3.500h2.500V14z",
  quote: "M4 13.500V9.500C4 7 5.200 5.500 7.500 5M11.500 13.500V9.500c0-2.500 1.200-4 3.500-4.500M4 13.500h3.500v-4H4zM11.500 13.500H15v-4h-3.500z",
  more: "M5 10h.1M10 10h.1M15 10h.1",
};

export type IconName = keyof typeof paths;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width={size} height={size} aria-hidden="true" focusable="false" fill="none" stroke="currentColor"
      stroke-width="1.500" stroke-linecap="round" stroke-linejoin="round">
      <path d={paths[name]} />
    </svg>
  );
}
