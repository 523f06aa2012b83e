package io.rpcboot.spring.actuate.findings;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import io.rpcboot.spring.actuate.descriptor.Finding;
import io.rpcboot.spring.actuate.descriptor.Finding.Ended;
import io.rpcboot.spring.actuate.findings.Diagnostics.Found;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the start times of findings and the list of ended findings. */
class FindingHistoryTests {

	private final FindingHistory history = new FindingHistory();

	private Instant now = DiagnosticSnapshots.NOW;

	private static Finding slow(String method, String text) {
		return Finding.note(text, null, "").at("methods", method).of("SLOW_METHOD");
	}

	private List<Finding> record(Finding... found) {
		return this.history.record(new Found(List.of(found), List.of()), this.now);
	}

	private List<Ended> ended() {
		return this.history.ended(this.now);
	}

	private long after(Duration time) {
		this.now = this.now.plus(time);
		return this.now.toEpochMilli();
	}

	@Test
	void finding_keepsStartTime_whenTextChanges() {
		long first = this.now.toEpochMilli();
		assertThat(record(slow("report", "1 s"))).extracting(Finding::since).containsExactly(first);
		after(Duration.ofSeconds(5));
		assertThat(record(slow("report", "2 s"))).singleElement().satisfies((finding) -> {
			assertThat(finding.since()).isEqualTo(first);
			assertThat(finding.text()).isEqualTo("2 s");
		});
		assertThat(ended()).isEmpty();
	}

	@Test
	void finding_keepsItsOwnStartTime() {
		long before = this.now.minusSeconds(600).toEpochMilli();
		assertThat(record(slow("report", "1 s").since(before))).extracting(Finding::since).containsExactly(before);
	}

	@Test
	void findingsOfSameKind_haveSeparateStartTimes() {
		record(slow("report", "1 s"));
		long second = after(Duration.ofSeconds(5));
		assertThat(record(slow("archive", "1 s"), slow("report", "1 s"))).extracting(Finding::since)
			.containsExactly(second, DiagnosticSnapshots.NOW.toEpochMilli());
	}

	@Test
	void endedFinding_isListed_for15Minutes() {
		record(slow("report", "1 s"));
		long last = after(Duration.ofSeconds(5));
		record(slow("report", "3 s"));
		after(Duration.ofSeconds(5));
		record();
		assertThat(ended()).singleElement().satisfies((ended) -> {
			assertThat(ended.kind()).isEqualTo("SLOW_METHOD");
			assertThat(ended.text()).isEqualTo("3 s");
			assertThat(ended.link()).isEqualTo("#/methods/report");
			assertThat(ended.since()).isEqualTo(DiagnosticSnapshots.NOW.toEpochMilli());
			assertThat(ended.until()).isEqualTo(last);
		});
		after(FindingHistory.MEMORY.minusSeconds(5));
		record();
		assertThat(ended()).hasSize(1);
		after(Duration.ofSeconds(5));
		record();
		assertThat(ended()).isEmpty();
	}

	@Test
	void finding_keepsStartTime_whenItReturnsWithinGap() {
		record(slow("report", "1 s"));
		after(FindingHistory.GAP.dividedBy(2));
		record();
		after(FindingHistory.GAP.dividedBy(2));
		assertThat(record(slow("report", "1 s"))).extracting(Finding::since)
			.containsExactly(DiagnosticSnapshots.NOW.toEpochMilli());
		assertThat(ended()).isEmpty();
		long later = after(FindingHistory.GAP.plusMillis(1));
		assertThat(record(slow("report", "1 s"))).extracting(Finding::since).containsExactly(later);
	}

	@Test
	void finding_isNotEnded_whenImpliedByAnother() {
		record(slow("report", "1 s"));
		after(Duration.ofSeconds(5));
		Finding why = Finding.error("it fails", null, "").at("methods", "report").of("FAILING_METHOD");
		Found found = new Found(List.of(why), List.of(slow("report", "1 s"), slow("archive", "1 s")));
		assertThat(this.history.record(found, this.now)).extracting(Finding::kind).containsExactly("FAILING_METHOD");
		assertThat(ended()).isEmpty();
		after(Duration.ofSeconds(5));
		record();
		assertThat(ended()).as("what was never said is not over").hasSize(2);
	}

	@Test
	void endedFindings_areLimitedAndNewestFirst() {
		IntStream.range(0, 300).forEach((number) -> {
			record(slow("report" + number, "1 s"));
			after(Duration.ofSeconds(1));
		});
		record();
		assertThat(ended()).hasSize(FindingHistory.MOST_ENDED)
			.extracting(Ended::link)
			.startsWith("#/methods/report299", "#/methods/report298");
	}

	@Test
	void longText_isCut_whenFindingEnds() {
		record(slow("report", "x".repeat(5000)));
		after(Duration.ofSeconds(5));
		record();
		assertThat(ended()).singleElement().satisfies((ended) -> assertThat(ended.text()).hasSizeLessThan(300));
	}

}
