// The documents of a zip, unpacked one by one; loaded when the first zip comes.
import { unzipSync } from "fflate";

export interface Member { path: string; size: number; file: () => File }

/** membersOf lists the files of a zip, without those that systems keep for themselves. It throws where the zip is damaged,
 * and file does where the member is, or is encrypted. */
export async function membersOf(zip: File): Promise<Member[]> {
  const packed = new Uint8Array(await zip.arrayBuffer());
  const found: Member[] = [];
  unzipSync(packed, {
    filter: ({ name, originalSize }) => {
      const parts = name.replaceAll("\\", "/").split("/").filter((part) => part && part !== "." && part !== "..");
      if (/[\\/]$/.test(name) || !parts.length || parts[0] === "__MACOSX" || parts.some((part) => part.startsWith("."))) return false;
      const file = () => new File([unzipSync(packed, { filter: (one) => one.name === name })[name] as BlobPart], parts.at(-1)!);
      found.push({ path: parts.join("/"), size: originalSize, file });
      return false;
    },
  });
  return found;
}
