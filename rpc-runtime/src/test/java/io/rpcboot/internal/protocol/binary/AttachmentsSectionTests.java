package io.rpcboot.internal.protocol.binary;

import java.util.Arrays;

import io.rpcboot.context.Attachments;
import io.rpcboot.internal.protocol.ProtocolException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class AttachmentsSectionTests {

	@Test
	void encodedAttachments_decodeToSameEntries() {
		Attachments given = new Attachments().put("tenant", "größe \ud83d\ude00").put("empty", "").put("9", "x");
		byte[] section = AttachmentsSection.encode(given);
		byte[] body = new byte[section.length + 5];
		System.arraycopy(section, 0, body, 2, section.length);
		int end = AttachmentsSection.skip(body, 2, body.length);
		assertThat(end).isEqualTo(2 + section.length);
		assertThat(AttachmentsSection.decode(body, 2, end).asMap()).isEqualTo(given.asMap())
			.containsExactlyEntriesOf(given.asMap());
	}

	@Test
	void emptySection_isTwoBytes() {
		assertThat(AttachmentsSection.encode(new Attachments())).containsExactly(0, 0);
		assertThat(AttachmentsSection.decode(new byte[2], 0, 2).isEmpty()).isTrue();
	}

	@Test
	void section_isLimitedTo65535Bytes() {
		int most = AttachmentsSection.MAX_LENGTH - 4;
		byte[] section = AttachmentsSection.encode(new Attachments().put("a", "x".repeat(most)));
		assertThat(section).hasSize(2 + AttachmentsSection.MAX_LENGTH).startsWith(0xff, 0xff);
		assertThat(AttachmentsSection.decode(section, 0, section.length).get("a")).hasSize(most);
		assertThatIllegalArgumentException()
			.isThrownBy(() -> AttachmentsSection.encode(new Attachments().put("a", "x".repeat(most + 1))))
			.withMessage("the attachments take more than 65535 bytes; 'a' is the first that does not fit");
	}

	@Test
	void optionalAttachments_areOmitted_whenTheyDoNotFit() {
		Attachments all = new Attachments().putOptional("a", "1234").putOptional("big", "x".repeat(100)).put("b", "ü");
		all.putOptional("c", "");
		assertThat(AttachmentsSection.fitting(all, 500)).isSameAs(all);
		assertThat(AttachmentsSection.fitting(all, 18).asMap().keySet()).containsExactly("b", "a", "c");
		assertThat(AttachmentsSection.fitting(all, 17).asMap().keySet()).containsExactly("b", "a");
		assertThat(AttachmentsSection.fitting(all, 13).asMap().keySet()).containsExactly("b", "c");
		assertThat(AttachmentsSection.fitting(all, 0).asMap().keySet()).as("others are not").containsExactly("b");
		Attachments plain = new Attachments().put("b", "x".repeat(100));
		assertThat(AttachmentsSection.fitting(plain, 0)).isSameAs(plain);
		for (int i = 0; i < 2 * AttachmentsSection.MAX_ENTRIES; i++) {
			plain.putOptional("n" + i, "");
		}
		assertThat(AttachmentsSection.fitting(plain, AttachmentsSection.MAX_LENGTH).asMap())
			.hasSize(AttachmentsSection.MAX_ENTRIES)
			.containsKey("b");
	}

	@Test
	void entries_areLimitedTo128() {
		Attachments attachments = new Attachments();
		for (int i = 0; i < AttachmentsSection.MAX_ENTRIES; i++) {
			attachments.put("n" + i, "");
		}
		byte[] most = AttachmentsSection.encode(attachments);
		assertThat(AttachmentsSection.decode(most, 0, most.length).asMap()).hasSize(128);
		assertThatIllegalArgumentException().isThrownBy(() -> AttachmentsSection.encode(attachments.put("more", "")))
			.withMessage("129 attachments (expected: at most 128)");
		byte[] more = Arrays.copyOf(most, most.length + 4);
		more[0] = (byte) ((more.length - 2) >>> 8);
		more[1] = (byte) (more.length - 2);
		more[most.length] = 1;
		more[most.length + 1] = 'x';
		assertThatExceptionOfType(ProtocolException.class)
			.isThrownBy(() -> AttachmentsSection.decode(more, 0, more.length))
			.withMessage("attachments: more than 128 entries");
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			0001 00,                       attachments: a name that may not be: ''
			0002 01 41,                    attachments: a name that may not be: 'A'
			0002 05 61,                    attachments: an entry is cut off
			0003 01 61 00,                 attachments: an entry is cut off
			0005 01 61 0002 78,            attachments: an entry is cut off
			0005 01 61 0001 ff,            attachments: the value of 'a' is not UTF-8
			000a 01 61 0001 78 01 61 0001 79, attachments: 'a' twice
			0004 01 0a 0000,               attachments: a name that may not be: '?'
			""")
	void malformedSection_isRejected(String hex, String message) {
		byte[] section = Hex.bytes(hex);
		assertThatExceptionOfType(ProtocolException.class)
			.isThrownBy(() -> AttachmentsSection.decode(section, 0, section.length))
			.withMessage(message);
	}

}
