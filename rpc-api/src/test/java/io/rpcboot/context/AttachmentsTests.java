package io.rpcboot.context;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class AttachmentsTests {

	@Test
	void names_areCaseInsensitiveAndKeepOrder() {
		Attachments attachments = new Attachments().put("Tenant-Id", "acme").put("a.b_c", "").put("TENANT-ID", "giant");
		assertThat(attachments.asMap()).containsExactly(Map.entry("tenant-id", "giant"), Map.entry("a.b_c", ""));
		assertThat(attachments.get("tenant-ID")).isEqualTo("giant");
		assertThat(attachments.remove("A.B_C").get("a.b_c")).isNull();
		assertThat(attachments.isEmpty()).isFalse();
		assertThat(attachments).as("values may be secrets").hasToString("[tenant-id]");
	}

	@Test
	void optionalAttachments_stayOptionalInCopies() {
		Attachments attachments = new Attachments().put("a", "1").putOptional("B", "2").putOptional("c", "3");
		assertThat(attachments.isOptional("b")).isTrue();
		assertThat(attachments.isOptional("a")).isFalse();
		Attachments copy = attachments.copy().put("c", "4").putOptional("a", "5").remove("b").put("b", "6");
		assertThat(copy.required().asMap()).containsExactly(Map.entry("c", "4"), Map.entry("b", "6"));
		assertThat(attachments.required().asMap()).containsExactly(Map.entry("a", "1"));
		assertThat(copy.putAll(attachments).required().asMap()).containsExactly(Map.entry("a", "1"));
		assertThat(copy.asMap()).hasSize(3);
		Attachments none = new Attachments().put("a", "1");
		assertThat(none.required()).isSameAs(none);
		attachments.freeze("enough");
		assertThatIllegalStateException().isThrownBy(() -> attachments.putOptional("a", "1"));
		assertThat(attachments.isOptional("a")).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "-a", ".a", "_a", "a b", "ä", "a:b", "\u212a",
			"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" })
	void invalidNames_areRejected(String name) {
		boolean isKelvin = "\u212a".equals(name); // whose lower case is a letter
		if (isKelvin) {
			assertThat(new Attachments().put(name, "").get("k")).isEmpty();
			return;
		}
		assertThatIllegalArgumentException().isThrownBy(() -> new Attachments().put(name, ""))
			.withMessage("attachment name '%s' (expected: 1 to 64 letters, digits, '.', '_' and '-', "
					+ "a letter or digit first)", name);
	}

	@Test
	void reservedNames_areRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> new Attachments().put("RPC-Anything", ""))
			.withMessage("attachment name 'RPC-Anything' (expected: one that does not begin with 'rpc-')");
	}

	@Test
	void unpairedSurrogates_areRejected() {
		assertThat(new Attachments().put("a", "\ud83d\ude00").get("a")).hasSize(2);
		assertThatIllegalArgumentException().isThrownBy(() -> new Attachments().put("a", "x\ud83d"))
			.withMessage("value of attachment 'a' has an unpaired surrogate at index 1");
		assertThatIllegalArgumentException().isThrownBy(() -> new Attachments().put("a", "\ude00\ud83d"))
			.withMessageEndingWith("at index 0");
	}

	@Test
	void bytes_areEncodedAsBase64() {
		Attachments attachments = new Attachments().putBytes("key", new byte[] { -1, 0, 62, 63 });
		assertThat(attachments.get("key")).isEqualTo("/wA+Pw==");
		assertThat(attachments.getBytes("KEY")).containsExactly(-1, 0, 62, 63);
		assertThat(attachments.getBytes("other")).isNull();
		assertThatIllegalArgumentException().isThrownBy(() -> new Attachments().put("a", "?").getBytes("a"));
	}

	@Test
	void receivedAttachments_areImmutable() {
		Attachments arrived = Attachments.of(Map.of("a", "1"));
		assertThatIllegalStateException().isThrownBy(() -> arrived.put("b", "2"))
			.withMessage("attachments cannot be changed: they were received");
		assertThatIllegalStateException().isThrownBy(() -> arrived.remove("a"));
		assertThatIllegalStateException().isThrownBy(() -> arrived.putAll(new Attachments()));
		assertThat(arrived.copy().put("b", "2").asMap()).hasSize(2);
		assertThat(arrived.asMap()).hasSize(1);
	}

}
