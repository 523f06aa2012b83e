package io.rpcboot.spring.actuate.endpoint;

import java.nio.charset.StandardCharsets;

import org.springframework.boot.actuate.endpoint.ApiVersion;
import org.springframework.boot.actuate.endpoint.Producible;
import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;

/** Form of an answer. Actuator takes the last of those that a client accepts. */
enum AnswerForm implements Producible<AnswerForm> {

	TEXT(new MimeType(MimeTypeUtils.TEXT_PLAIN, StandardCharsets.UTF_8)),

	JSON_V3(ApiVersion.V3.getProducedMimeType()),

	JSON_V2(ApiVersion.V2.getProducedMimeType()),

	JSON(MimeTypeUtils.APPLICATION_JSON);

	private final MimeType type;

	AnswerForm(MimeType type) {
		this.type = type;
	}

	/** Returns this, or the default for what is no text. */
	AnswerForm json() {
		return (this != TEXT) ? this : JSON_V3;
	}

	@Override
	public MimeType getProducedMimeType() {
		return this.type;
	}

	@Override
	public boolean isDefault() {
		return this == JSON_V3;
	}

}
