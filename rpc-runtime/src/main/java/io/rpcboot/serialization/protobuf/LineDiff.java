package io.rpcboot.serialization.protobuf;

import java.util.ArrayList;
import java.util.List;

/**
 * Difference of two texts by lines: those of the earlier one with a minus in front, those
 * of the new one with a plus, and up to three equal lines before each change.
 */
final class LineDiff {

	private static final int CONTEXT = 3;

	private final List<String> earlier;

	private final List<String> now;

	LineDiff(List<String> earlier, List<String> now) {
		this.earlier = earlier;
		this.now = now;
	}

	/**
	 * Returns the lengths of the longest common rests, by the indexes of their first
	 * lines.
	 */
	private int[][] lengths() {
		int[][] lengths = new int[this.earlier.size() + 1][this.now.size() + 1];
		for (int i = this.earlier.size() - 1; i >= 0; i--) {
			for (int j = this.now.size() - 1; j >= 0; j--) {
				lengths[i][j] = this.earlier.get(i).equals(this.now.get(j)) ? lengths[i + 1][j + 1] + 1
						: Math.max(lengths[i + 1][j], lengths[i][j + 1]);
			}
		}
		return lengths;
	}

	/** Returns the number of the first line that differs, and all lines that differ. */
	@Override
	public String toString() {
		int[][] lengths = lengths();
		List<String> lines = new ArrayList<>();
		int first = 0;
		int equal = 0;
		int i = 0;
		int j = 0;
		while (i < this.earlier.size() || j < this.now.size()) {
			if (i < this.earlier.size() && j < this.now.size() && this.earlier.get(i).equals(this.now.get(j))) {
				equal++;
				i++;
				j++;
				continue;
			}
			first = (first == 0) ? j + 1 : first;
			for (int k = Math.min(equal, CONTEXT); k > 0; k--) {
				lines.add("  " + this.now.get(j - k));
			}
			equal = 0;
			boolean isGone = j == this.now.size()
					|| (i < this.earlier.size() && lengths[i + 1][j] >= lengths[i][j + 1]);
			lines.add(isGone ? "- " + this.earlier.get(i++) : "+ " + this.now.get(j++));
		}
		return "line %d differs\n%s".formatted(first, String.join("\n", lines));
	}

}
