package io.rpcboot.internal.server.openapi;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import com.google.gson.JsonElement;
import io.protostuff.Tag;
import io.rpcboot.RpcContract;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.Future;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Negative;
import jakarta.validation.constraints.NegativeOrZero;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import jakarta.validation.groups.Default;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.rpcboot.internal.server.openapi.Documents.at;
import static io.rpcboot.internal.server.openapi.Documents.json;
import static io.rpcboot.internal.server.openapi.Documents.schema;
import static org.assertj.core.api.Assertions.assertThat;

public class ConstraintsTests {

	private static final String PACKAGE = "io.rpcboot.internal.server.openapi.";

	private static final String INT64 = "type: string, format: int64, pattern: '^-?[0-9]{1,19}$'";

	private static final JsonElement DOCUMENT = Documents.of(Users.class);

	@RpcContract(name = PACKAGE + "Users")
	public interface Users {

		@NotNull
		String save(@NotNull User user, @Min(1) @Max(10) int tries, @NotBlank String why, Ranges ranges);

		@Size(min = 1)
		List<String> names(@NotEmpty Map<String, @Size(max = 3) String> filter);

	}

	@SuppressWarnings("unused")
	public static class User {

		@NotNull
		Integer boxed;

		@NotNull
		TimeUnit unit;

		@NotNull
		Tagged tagged;

		@NotNull
		int primitive;

		@NotNull
		List<String> list;

		@NotNull
		Optional<String> holder;

		@NotBlank
		@Size(max = 20)
		String name;

		@Size(min = 2, max = 5)
		@NotEmpty
		String code;

		@Size(min = 2)
		String optional;

		@Size(min = 1, max = 9)
		List<@NotBlank String> tags;

		@Size(max = 4)
		Map<String, @Min(0) Integer> scores;

		@Size(min = 1, max = 16)
		byte[] hash;

		Optional<@Size(max = 7) String> nick;

		@Email
		String mail;

		@Pattern(regexp = "[A-Z]{2}")
		String country;

		@Pattern(regexp = "[\\w\\-]+\\-[0-9]+")
		String hyphens;

		@Pattern(regexp = "a.*")
		@Pattern(regexp = ".*b")
		String both;

		@Pattern(regexp = "a+", flags = Pattern.Flag.CASE_INSENSITIVE)
		String anyCase;

		@Size(min = 100, groups = Other.class)
		@NotNull(groups = { Other.class, Default.class })
		String grouped;

		@Future
		String future;

		@NotNull
		Ranges ranges;

	}

	public interface Other {

	}

	/** Enum whose constant with number 0 is absent on the wire. */
	public enum Tagged {

		@Tag(0)
		NONE,

		@Tag(1)
		SOME

	}

	@SuppressWarnings("unused")
	public static class Ranges {

		@Min(1)
		@Max(10)
		int closed;

		@Min(-1)
		int withZero;

		@Min(5)
		Integer boxed;

		@Positive
		double positive;

		@PositiveOrZero
		float notNegative;

		@Negative
		int negative;

		@NegativeOrZero
		int notPositive;

		@DecimalMin(value = "0.5", inclusive = false)
		@DecimalMax("1e3")
		double decimal;

		@DecimalMin("many")
		double malformed;

		@Min(1)
		@Min(3)
		int twice;

		@Positive
		long large;

		@Min(0)
		@Max(99)
		Long largeBoxed;

		@DecimalMin("0.01")
		BigDecimal price;

		@Min(2)
		char letter;

	}

	private static JsonElement users(String property) {
		return at(schema(DOCUMENT, PACKAGE + "ConstraintsTestsUser"), "properties", property);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', value = {
			"name | {type: string, minLength: 1, pattern: '\\\\S', maxLength: 20}",
			"code | {type: string, minLength: 2, maxLength: 5}", "optional | {type: string, minLength: 2}",
			"tags | {type: array, items: {type: string, minLength: 1, pattern: '\\\\S'}, minItems: 1, maxItems: 9}",
			"scores | {type: object, additionalProperties: {type: integer, format: int32, minimum: 0}, maxProperties: 4}",
			"hash | {type: string, format: byte, contentEncoding: base64, description: 'bytes: at least 1; bytes: at most 16'}",
			"nick | {type: string, maxLength: 7}", "mail | {type: string, format: email}",
			"country | {type: string, pattern: '^(?:[A-Z]{2})$'}",
			"hyphens | {type: string, pattern: '^(?:[\\\\w\\\\x2d]+\\\\x2d[0-9]+)$'}",
			"both | {type: string, pattern: '^(?:a.*)$', allOf: [{pattern: '^(?:.*b)$'}]}",
			"anyCase | {type: string, description: 'matches the pattern of Java a+'}", "grouped | {type: string}",
			"future | {type: string}" })
	void constraint_isKeyword(String property, String expected) {
		assertThat(users(property)).isEqualTo(json(expected));
	}

	@Test
	void field_isRequired_whenAbsentValueIsRefused() {
		assertThat(at(schema(DOCUMENT, PACKAGE + "ConstraintsTestsUser"), "required"))
			.isEqualTo(json("[boxed, unit, name, code, tags, grouped, ranges]"));
		assertThat(at(schema(DOCUMENT, PACKAGE + "ConstraintsTestsRanges"), "required"))
			.isEqualTo(json("[closed, positive, negative, decimal, twice, large, letter]"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			value = { "closed | {type: integer, format: int32, minimum: 1, maximum: 10}",
					"withZero | {type: integer, format: int32, minimum: -1}",
					"boxed | {type: integer, format: int32, minimum: 5}",
					"positive | {type: number, format: double, exclusiveMinimum: 0}",
					"notNegative | {type: number, format: float, minimum: 0}",
					"negative | {type: integer, format: int32, exclusiveMaximum: 0}",
					"notPositive | {type: integer, format: int32, maximum: 0}",
					"decimal | {type: number, format: double, exclusiveMinimum: 0.5, maximum: 1e3}",
					"malformed | {type: number, format: double}", "twice | {type: integer, format: int32, minimum: 3}",
					"large | {" + INT64 + ", description: 'more than 0'}",
					"largeBoxed | {" + INT64 + ", description: 'at least 0; at most 99'}",
					"price | {type: string, description: 'BigDecimal, such as 12.50; at least 0.01'}",
					"letter | {type: integer, minimum: 2, maximum: 4294967295}" })
	void range_isKeyword_orInWords(String property, String expected) {
		assertThat(at(schema(DOCUMENT, PACKAGE + "ConstraintsTestsRanges"), "properties", property))
			.isEqualTo(json(expected));
	}

	@Test
	void parametersAndResult_haveConstraints() {
		JsonElement request = schema(DOCUMENT, PACKAGE + "SaveRequest");
		assertThat(at(request, "required")).isEqualTo(json("[user, tries, why]"));
		assertThat(at(request, "properties", "tries"))
			.isEqualTo(json("{type: integer, format: int32, minimum: 1, maximum: 10}"));
		assertThat(at(schema(DOCUMENT, PACKAGE + "SaveResponse"), "required")).isEqualTo(json("[value]"));
		JsonElement names = schema(DOCUMENT, PACKAGE + "NamesRequest");
		assertThat(names).isEqualTo(json("{type: object, properties: {filter: {type: object, "
				+ "additionalProperties: {type: string, maxLength: 3}, minProperties: 1}}, required: [filter]}"));
		assertThat(at(schema(DOCUMENT, PACKAGE + "NamesResponse"), "properties", "value", "minItems").getAsInt())
			.isOne();
	}

	@ParameterizedTest
	@ValueSource(strings = { "[a-z]+", "\\d{3}-\\d{4}", "[\\w\\-]+\\.[a-z]{2,}", "(?:a|b)*?c", "(?=.*[0-9]).{8,}",
			"(?<year>\\d+)", "\\u00e9|\\x41", "\\[\\]|\\(\\)", "\\\\d" })
	void patternOfBothLanguages_isPortable(String regex) {
		assertThat(Constraints.isPortable(regex)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "\\p{Alpha}+", "(?i)abc", "a++", "a*+", "[a-z&&[^b]]", "[a[b]]", "\\Aabc\\z", "\\Qa.b\\E",
			"(?>a)", "\\x{1F600}", "\\h", "\\R", "\\-?\\_", "\\'" })
	void patternOfJavaAlone_isNotPortable(String regex) {
		assertThat(Constraints.isPortable(regex)).isFalse();
	}

}
